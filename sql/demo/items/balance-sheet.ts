import { consolidated, domestic, foreign, schedule } from './item.ts'

const securities = 'arraySum(afs_cost)'

/** Schedule RC, the balance sheet. */
export const balanceSheet = schedule('RC', [
  consolidated('0081', 'NONINTEREST-BEARING BALANCES AND CURRENCY AND COIN', 'cash_noninterest'),
  consolidated('0071', 'INTEREST-BEARING BALANCES DUE FROM DEPOSITORY INSTITUTIONS', 'cash_interest'),
  consolidated('JJ34', 'HELD-TO-MATURITY SECURITIES, NET OF ALLOWANCE', 'securities_htm'),
  consolidated('1773', 'AVAILABLE-FOR-SALE DEBT SECURITIES', 'securities_afs'),
  consolidated('JA22', 'EQUITY SECURITIES WITH READILY DETERMINABLE FAIR VALUES', 'equity_securities'),
  domestic('B987', 'FEDERAL FUNDS SOLD IN DOMESTIC OFFICES', 'federal_funds_sold'),
  consolidated('B989', 'SECURITIES PURCHASED UNDER AGREEMENTS TO RESELL', 'resale_agreements'),
  consolidated('5369', 'LOANS AND LEASES HELD FOR SALE', 'loans_held_for_sale'),
  consolidated('B528', 'LOANS AND LEASES HELD FOR INVESTMENT', 'total_loans - loans_held_for_sale'),
  consolidated('3123', 'ALLOWANCE FOR CREDIT LOSSES ON LOANS AND LEASES', 'allowance'),
  consolidated(
    'B529',
    'LOANS AND LEASES HELD FOR INVESTMENT, NET OF ALLOWANCE',
    'total_loans - loans_held_for_sale - allowance',
  ),
  consolidated('3545', 'TRADING ASSETS', 'trading_assets'),
  consolidated('2145', 'PREMISES AND FIXED ASSETS', 'premises'),
  consolidated('2150', 'OTHER REAL ESTATE OWNED', 'oreo'),
  consolidated('2130', 'INVESTMENTS IN UNCONSOLIDATED SUBSIDIARIES', 'subsidiaries'),
  consolidated('2143', 'INTANGIBLE ASSETS', 'intangibles'),
  consolidated('2160', 'OTHER ASSETS', 'other_assets'),
  consolidated('2170', 'TOTAL ASSETS', 'total_assets'),
  domestic('2200', 'DEPOSITS IN DOMESTIC OFFICES', 'domestic_deposits'),
  domestic('6631', 'NONINTEREST-BEARING DEPOSITS IN DOMESTIC OFFICES', 'demand'),
  domestic('6636', 'INTEREST-BEARING DEPOSITS IN DOMESTIC OFFICES', 'domestic_deposits - demand'),
  foreign('2200', 'DEPOSITS IN FOREIGN OFFICES', 'foreign_deposits'),
  foreign('6631', 'NONINTEREST-BEARING DEPOSITS IN FOREIGN OFFICES', 'foreign_demand'),
  foreign('6636', 'INTEREST-BEARING DEPOSITS IN FOREIGN OFFICES', 'foreign_deposits - foreign_demand'),
  domestic('B993', 'FEDERAL FUNDS PURCHASED IN DOMESTIC OFFICES', 'federal_funds_purchased'),
  consolidated('B995', 'SECURITIES SOLD UNDER AGREEMENTS TO REPURCHASE', 'repurchase_agreements'),
  consolidated('3548', 'TRADING LIABILITIES', 'trading_liabilities'),
  consolidated('3190', 'OTHER BORROWED MONEY', 'fhlb_advances + other_borrowings'),
  consolidated('3200', 'SUBORDINATED NOTES AND DEBENTURES', 'subordinated_debt'),
  consolidated('2930', 'OTHER LIABILITIES', 'other_liabilities'),
  consolidated('2948', 'TOTAL LIABILITIES', 'total_liabilities'),
  consolidated('3838', 'PERPETUAL PREFERRED STOCK AND RELATED SURPLUS', 'preferred_stock'),
  consolidated('3230', 'COMMON STOCK', 'common_stock'),
  consolidated('3839', 'SURPLUS', 'surplus'),
  consolidated('3632', 'RETAINED EARNINGS', 'undivided_profits'),
  consolidated('B530', 'ACCUMULATED OTHER COMPREHENSIVE INCOME', 'aoci'),
  consolidated('A130', 'OTHER EQUITY CAPITAL COMPONENTS', '0'),
  consolidated('3210', 'TOTAL BANK EQUITY CAPITAL', 'total_equity'),
  consolidated('3000', 'NONCONTROLLING INTERESTS IN CONSOLIDATED SUBSIDIARIES', '0'),
  consolidated('G105', 'TOTAL EQUITY CAPITAL', 'total_equity'),
  consolidated('3300', 'TOTAL LIABILITIES AND EQUITY CAPITAL', 'total_liabilities + total_equity'),
])

/** Schedule RC-A, cash and balances due; form 051 does not have it. */
export const cash = schedule('RCA', [
  consolidated(
    '0010',
    'TOTAL CASH AND BALANCES DUE FROM DEPOSITORY INSTITUTIONS',
    'cash_noninterest + cash_interest',
    ['031', '041'],
  ),
  consolidated('0090', 'BALANCES DUE FROM FEDERAL RESERVE BANKS', 'round(0.85 * cash_interest)', [
    '031',
    '041',
  ]),
])

/** Schedule RC-B, securities at amortised cost and fair value. */
export const securitiesItems = schedule('RCB', [
  consolidated('0211', 'U.S. TREASURY SECURITIES, HELD-TO-MATURITY, AMORTIZED COST', 'htm_cost[1]'),
  consolidated('0213', 'U.S. TREASURY SECURITIES, HELD-TO-MATURITY, FAIR VALUE', 'htm_fair[1]'),
  consolidated('1286', 'U.S. TREASURY SECURITIES, AVAILABLE-FOR-SALE, AMORTIZED COST', 'afs_cost[1]'),
  consolidated('1287', 'U.S. TREASURY SECURITIES, AVAILABLE-FOR-SALE, FAIR VALUE', 'afs_fair[1]'),
  consolidated('HT50', 'U.S. GOVERNMENT AGENCY OBLIGATIONS, HELD-TO-MATURITY, AMORTIZED COST', 'htm_cost[2]'),
  consolidated('HT51', 'U.S. GOVERNMENT AGENCY OBLIGATIONS, HELD-TO-MATURITY, FAIR VALUE', 'htm_fair[2]'),
  consolidated(
    'HT52',
    'U.S. GOVERNMENT AGENCY OBLIGATIONS, AVAILABLE-FOR-SALE, AMORTIZED COST',
    'afs_cost[2]',
  ),
  consolidated('HT53', 'U.S. GOVERNMENT AGENCY OBLIGATIONS, AVAILABLE-FOR-SALE, FAIR VALUE', 'afs_fair[2]'),
  consolidated(
    '8496',
    'SECURITIES OF STATES AND POLITICAL SUBDIVISIONS, HELD-TO-MATURITY, AMORTIZED COST',
    'htm_cost[7]',
  ),
  consolidated(
    '8497',
    'SECURITIES OF STATES AND POLITICAL SUBDIVISIONS, HELD-TO-MATURITY, FAIR VALUE',
    'htm_fair[7]',
  ),
  consolidated(
    '8498',
    'SECURITIES OF STATES AND POLITICAL SUBDIVISIONS, AVAILABLE-FOR-SALE, AMORTIZED COST',
    'afs_cost[7]',
  ),
  consolidated(
    '8499',
    'SECURITIES OF STATES AND POLITICAL SUBDIVISIONS, AVAILABLE-FOR-SALE, FAIR VALUE',
    'afs_fair[7]',
  ),
  consolidated(
    'G304',
    'RESIDENTIAL PASS-THROUGHS OF FNMA AND FHLMC, HELD-TO-MATURITY, AMORTIZED COST',
    'htm_cost[3]',
    ['031', '041'],
  ),
  consolidated(
    'G305',
    'RESIDENTIAL PASS-THROUGHS OF FNMA AND FHLMC, HELD-TO-MATURITY, FAIR VALUE',
    'htm_fair[3]',
    ['031', '041'],
  ),
  consolidated(
    'G306',
    'RESIDENTIAL PASS-THROUGHS OF FNMA AND FHLMC, AVAILABLE-FOR-SALE, AMORTIZED COST',
    'afs_cost[3]',
    ['031', '041'],
  ),
  consolidated(
    'G307',
    'RESIDENTIAL PASS-THROUGHS OF FNMA AND FHLMC, AVAILABLE-FOR-SALE, FAIR VALUE',
    'afs_fair[3]',
    ['031', '041'],
  ),
  consolidated(
    'HT54',
    'RESIDENTIAL PASS-THROUGHS OF FNMA, FHLMC AND GNMA, HELD-TO-MATURITY, AMORTIZED COST',
    'htm_cost[3]',
    ['051'],
  ),
  consolidated(
    'HT55',
    'RESIDENTIAL PASS-THROUGHS OF FNMA, FHLMC AND GNMA, HELD-TO-MATURITY, FAIR VALUE',
    'htm_fair[3]',
    ['051'],
  ),
  consolidated(
    'HT56',
    'RESIDENTIAL PASS-THROUGHS OF FNMA, FHLMC AND GNMA, AVAILABLE-FOR-SALE, AMORTIZED COST',
    'afs_cost[3]',
    ['051'],
  ),
  consolidated(
    'HT57',
    'RESIDENTIAL PASS-THROUGHS OF FNMA, FHLMC AND GNMA, AVAILABLE-FOR-SALE, FAIR VALUE',
    'afs_fair[3]',
    ['051'],
  ),
  consolidated('G312', 'OTHER AGENCY RESIDENTIAL MBS, HELD-TO-MATURITY, AMORTIZED COST', 'htm_cost[4]'),
  consolidated('G313', 'OTHER AGENCY RESIDENTIAL MBS, HELD-TO-MATURITY, FAIR VALUE', 'htm_fair[4]'),
  consolidated('G314', 'OTHER AGENCY RESIDENTIAL MBS, AVAILABLE-FOR-SALE, AMORTIZED COST', 'afs_cost[4]'),
  consolidated('G315', 'OTHER AGENCY RESIDENTIAL MBS, AVAILABLE-FOR-SALE, FAIR VALUE', 'afs_fair[4]'),
  consolidated(
    'K142',
    'AGENCY COMMERCIAL MORTGAGE PASS-THROUGHS, HELD-TO-MATURITY, AMORTIZED COST',
    'htm_cost[5]',
  ),
  consolidated(
    'K143',
    'AGENCY COMMERCIAL MORTGAGE PASS-THROUGHS, HELD-TO-MATURITY, FAIR VALUE',
    'htm_fair[5]',
  ),
  consolidated(
    'K144',
    'AGENCY COMMERCIAL MORTGAGE PASS-THROUGHS, AVAILABLE-FOR-SALE, AMORTIZED COST',
    'afs_cost[5]',
  ),
  consolidated(
    'K145',
    'AGENCY COMMERCIAL MORTGAGE PASS-THROUGHS, AVAILABLE-FOR-SALE, FAIR VALUE',
    'afs_fair[5]',
  ),
  consolidated('1737', 'OTHER DOMESTIC DEBT SECURITIES, HELD-TO-MATURITY, AMORTIZED COST', 'htm_cost[6]'),
  consolidated('1738', 'OTHER DOMESTIC DEBT SECURITIES, HELD-TO-MATURITY, FAIR VALUE', 'htm_fair[6]'),
  consolidated('1739', 'OTHER DOMESTIC DEBT SECURITIES, AVAILABLE-FOR-SALE, AMORTIZED COST', 'afs_cost[6]'),
  consolidated('1741', 'OTHER DOMESTIC DEBT SECURITIES, AVAILABLE-FOR-SALE, FAIR VALUE', 'afs_fair[6]'),
  ...['G320', 'G321', 'G322', 'G323'].map((code) => consolidated(code, 'ALL OTHER RESIDENTIAL MBS', '0')),
  ...['C026', 'C988', 'C989', 'C027'].map((code) =>
    consolidated(code, 'ASSET-BACKED SECURITIES', '0', ['031', '041']),
  ),
  ...['HT58', 'HT59', 'HT60', 'HT61'].map((code) =>
    consolidated(code, 'ASSET-BACKED SECURITIES AND STRUCTURED FINANCIAL PRODUCTS', '0', ['051']),
  ),
  consolidated('1754', 'TOTAL HELD-TO-MATURITY SECURITIES, AMORTIZED COST', 'securities_htm'),
  consolidated('1771', 'TOTAL HELD-TO-MATURITY SECURITIES, FAIR VALUE', 'arraySum(htm_fair)'),
  consolidated('1772', 'TOTAL AVAILABLE-FOR-SALE SECURITIES, AMORTIZED COST', securities),
  consolidated('1773', 'TOTAL AVAILABLE-FOR-SALE SECURITIES, FAIR VALUE', 'securities_afs'),
  consolidated('0416', 'PLEDGED SECURITIES', 'round(0.4 * (securities_htm + securities_afs))'),
  consolidated(
    'A248',
    'DEBT SECURITIES WITH A REMAINING MATURITY OF ONE YEAR OR LESS',
    'round(0.12 * (securities_htm + securities_afs))',
  ),
])

/** Schedule RC-F, other assets. */
export const otherAssets = schedule('RCF', [
  consolidated('B556', 'ACCRUED INTEREST RECEIVABLE', 'accrued_interest'),
  consolidated('2148', 'NET DEFERRED TAX ASSETS', 'deferred_tax'),
  consolidated('K201', 'GENERAL ACCOUNT LIFE INSURANCE ASSETS', 'life_insurance'),
  consolidated('2168', 'ALL OTHER ASSETS', 'remaining_assets'),
])

const ladder = (amount: string, codes: readonly [string, string][], shares: readonly number[]) =>
  codes.map(([code, caption], k) =>
    consolidated(
      code,
      caption,
      k === codes.length - 1
        ? [amount, ...shares.map((share) => `round(${share} * ${amount})`)].join(' - ')
        : `round(${shares[k]} * ${amount})`,
    ),
  )

/** What is held of some classes: held to maturity at cost, available for sale at fair value. */
const held = (...classes: readonly number[]) =>
  classes.map((k) => `htm_cost[${k}] + afs_fair[${k}]`).join(' + ')

/** Schedule RC-B memoranda 2: securities by the time until they are due or reprice. */
export const securityMaturities = schedule('RCB', [
  ...ladder(
    `(${held(1, 2, 5, 6, 7)})`,
    [
      ['A549', 'NONMORTGAGE DEBT SECURITIES: THREE MONTHS OR LESS'],
      ['A550', 'NONMORTGAGE DEBT SECURITIES: OVER THREE THROUGH 12 MONTHS'],
      ['A551', 'NONMORTGAGE DEBT SECURITIES: OVER ONE THROUGH THREE YEARS'],
      ['A552', 'NONMORTGAGE DEBT SECURITIES: OVER THREE THROUGH FIVE YEARS'],
      ['A553', 'NONMORTGAGE DEBT SECURITIES: OVER FIVE THROUGH 15 YEARS'],
      ['A554', 'NONMORTGAGE DEBT SECURITIES: OVER 15 YEARS'],
    ],
    [0.06, 0.1, 0.24, 0.25, 0.27],
  ),
  ...ladder(
    `(${held(3)})`,
    [
      ['A555', 'RESIDENTIAL PASS-THROUGHS: THREE MONTHS OR LESS'],
      ['A556', 'RESIDENTIAL PASS-THROUGHS: OVER THREE THROUGH 12 MONTHS'],
      ['A557', 'RESIDENTIAL PASS-THROUGHS: OVER ONE THROUGH THREE YEARS'],
      ['A558', 'RESIDENTIAL PASS-THROUGHS: OVER THREE THROUGH FIVE YEARS'],
      ['A559', 'RESIDENTIAL PASS-THROUGHS: OVER FIVE THROUGH 15 YEARS'],
      ['A560', 'RESIDENTIAL PASS-THROUGHS: OVER 15 YEARS'],
    ],
    [0.01, 0.02, 0.05, 0.07, 0.45],
  ),
  ...ladder(
    `(${held(4)})`,
    [
      ['A561', 'OTHER MORTGAGE-BACKED SECURITIES: AVERAGE LIFE OF THREE YEARS OR LESS'],
      ['A562', 'OTHER MORTGAGE-BACKED SECURITIES: AVERAGE LIFE OVER THREE YEARS'],
    ],
    [0.35],
  ),
])

/** Schedule RC-M, memoranda: intangibles, other real estate by kind, borrowings by maturity. */
export const memoranda = schedule('RCM', [
  consolidated('3164', 'MORTGAGE SERVICING ASSETS', 'servicing_assets'),
  consolidated('A590', 'ESTIMATED FAIR VALUE OF MORTGAGE SERVICING ASSETS', 'round(1.1 * servicing_assets)'),
  consolidated('3163', 'GOODWILL', 'goodwill'),
  consolidated('JF76', 'ALL OTHER INTANGIBLE ASSETS', 'other_intangibles'),
  ...ladder(
    'fhlb_advances',
    [
      ['F055', 'FEDERAL HOME LOAN BANK ADVANCES, ONE YEAR OR LESS'],
      ['F056', 'FEDERAL HOME LOAN BANK ADVANCES, OVER ONE THROUGH THREE YEARS'],
      ['F057', 'FEDERAL HOME LOAN BANK ADVANCES, OVER THREE THROUGH FIVE YEARS'],
      ['F058', 'FEDERAL HOME LOAN BANK ADVANCES, OVER FIVE YEARS'],
    ],
    [0.45, 0.3, 0.15],
  ),
  consolidated(
    '2651',
    'FEDERAL HOME LOAN BANK ADVANCES WITH A REMAINING MATURITY OF ONE YEAR OR LESS',
    'round(0.42 * fhlb_advances)',
  ),
  consolidated('F065', 'SECURED OTHER BORROWINGS', 'fhlb_advances'),
])
