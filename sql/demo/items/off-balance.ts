import { consolidated, type Form, schedule } from './item.ts'
import { of, shareOf } from './loan-categories.ts'

const full: readonly Form[] = ['031', '041']

/** Schedule RC-L, commitments, guarantees and derivatives. */
export const offBalance = schedule('RCL', [
  consolidated(
    '3814',
    'UNUSED COMMITMENTS: REVOLVING, OPEN-END LINES SECURED BY 1-4 FAMILY',
    shareOf(1.1, 'loans', 'homeEquity'),
  ),
  consolidated('3815', 'UNUSED COMMITMENTS: CREDIT CARD LINES', shareOf(3.2, 'loans', 'cards')),
  consolidated(
    'F164',
    'UNUSED COMMITMENTS: 1-4 FAMILY RESIDENTIAL CONSTRUCTION',
    shareOf(0.7, 'loans', 'construction1to4'),
  ),
  consolidated(
    'F165',
    'UNUSED COMMITMENTS: COMMERCIAL REAL ESTATE AND OTHER CONSTRUCTION',
    shareOf(0.6, 'loans', 'otherConstruction'),
  ),
  consolidated('6550', 'UNUSED COMMITMENTS: COMMERCIAL REAL ESTATE NOT SECURED BY REAL ESTATE', '0'),
  consolidated('3817', 'UNUSED COMMITMENTS: SECURITIES UNDERWRITING', '0'),
  consolidated(
    'J457',
    'UNUSED COMMITMENTS: COMMERCIAL AND INDUSTRIAL LOANS',
    shareOf(0.55, 'loans', 'business'),
  ),
  consolidated(
    'J458',
    'UNUSED COMMITMENTS: LOANS TO FINANCIAL INSTITUTIONS',
    shareOf(0.4, 'loans', 'nonbankFinancial'),
  ),
  consolidated(
    'J459',
    'UNUSED COMMITMENTS: ALL OTHER',
    `round(0.4 * (${of('loans', 'farm', 'revolving', 'otherConsumer', 'otherLoans')}))`,
  ),
  consolidated('3819', 'FINANCIAL STANDBY LETTERS OF CREDIT', shareOf(0.02, 'loans', 'business')),
  consolidated('3821', 'PERFORMANCE STANDBY LETTERS OF CREDIT', shareOf(0.008, 'loans', 'business')),
  consolidated('3411', 'COMMERCIAL AND SIMILAR LETTERS OF CREDIT', shareOf(0.002, 'loans', 'business')),
  consolidated('3433', 'SECURITIES LENT', 'if(giant, round(0.02 * total_assets), 0)'),
  consolidated(
    'A126',
    'INTEREST RATE DERIVATIVES HELD FOR TRADING, NOTIONAL AMOUNT',
    'trading_assets * 20',
    full,
  ),
  consolidated(
    '8725',
    'INTEREST RATE DERIVATIVES HELD FOR OTHER PURPOSES, NOTIONAL AMOUNT',
    'if(h % 3 = 0, round(0.03 * total_assets), 0)',
    full,
  ),
])
