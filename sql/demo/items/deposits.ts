import { domestic, type Form, schedule } from './item.ts'

const full: readonly Form[] = ['031', '041']
const transaction = '(demand + other_transaction)'
const nontransaction = '(domestic_deposits - demand - other_transaction)'
const publicTransaction = `round(0.07 * ${transaction})`
const publicNontransaction = `round(0.08 * ${nontransaction})`

/** Schedule RC-E part I, deposits in domestic offices. */
export const deposits = schedule('RCE', [
  domestic(
    'B549',
    'TRANSACTION ACCOUNTS: INDIVIDUALS, PARTNERSHIPS AND CORPORATIONS',
    `${transaction} - ${publicTransaction} - round(0.002 * ${transaction}) - round(0.01 * ${transaction})`,
  ),
  domestic('2202', 'TRANSACTION ACCOUNTS: U.S. GOVERNMENT', `round(0.002 * ${transaction})`),
  domestic('2203', 'TRANSACTION ACCOUNTS: STATES AND POLITICAL SUBDIVISIONS', publicTransaction),
  domestic(
    'B551',
    'TRANSACTION ACCOUNTS: COMMERCIAL BANKS AND OTHER DEPOSITORY INSTITUTIONS IN THE U.S.',
    `round(0.01 * ${transaction})`,
  ),
  domestic('2213', 'TRANSACTION ACCOUNTS: BANKS IN FOREIGN COUNTRIES', '0', full),
  domestic('2216', 'TRANSACTION ACCOUNTS: FOREIGN GOVERNMENTS AND OFFICIAL INSTITUTIONS', '0', full),
  domestic('2215', 'TOTAL TRANSACTION ACCOUNTS', transaction),
  domestic('2210', 'TOTAL DEMAND DEPOSITS', 'demand'),
  domestic(
    'B550',
    'NONTRANSACTION ACCOUNTS: INDIVIDUALS, PARTNERSHIPS AND CORPORATIONS',
    `${nontransaction} - ${publicNontransaction} - round(0.01 * ${nontransaction})`,
  ),
  domestic('2520', 'NONTRANSACTION ACCOUNTS: U.S. GOVERNMENT', '0'),
  domestic('2530', 'NONTRANSACTION ACCOUNTS: STATES AND POLITICAL SUBDIVISIONS', publicNontransaction),
  domestic(
    'B552',
    'NONTRANSACTION ACCOUNTS: COMMERCIAL BANKS AND OTHER DEPOSITORY INSTITUTIONS IN THE U.S.',
    `round(0.01 * ${nontransaction})`,
  ),
  domestic('2385', 'TOTAL NONTRANSACTION ACCOUNTS', nontransaction),
  domestic('2365', 'TOTAL BROKERED DEPOSITS', 'brokered'),
  domestic('HK05', 'BROKERED DEPOSITS OF $250,000 OR LESS', 'round(0.9 * brokered)'),
  domestic('JH83', 'TOTAL RECIPROCAL DEPOSITS', 'if(h % 3 = 0, round(0.03 * domestic_deposits), 0)'),
  domestic(
    'K223',
    'DEPOSITS OBTAINED THROUGH LISTING SERVICES THAT ARE NOT BROKERED',
    'if(h % 4 = 0, round(0.02 * domestic_deposits), 0)',
  ),
  domestic('6810', 'MONEY MARKET DEPOSIT ACCOUNTS', 'money_market'),
  domestic('0352', 'OTHER SAVINGS DEPOSITS', 'savings'),
  domestic('6648', 'TIME DEPOSITS OF LESS THAN $100,000', 'time_small'),
  domestic('J473', 'TIME DEPOSITS OF $100,000 THROUGH $250,000', 'time_middle'),
  domestic('J474', 'TIME DEPOSITS OF MORE THAN $250,000', 'time_large'),
])

const large = 'least(domestic_deposits, round(1.18 * uninsured))'
const small = `(domestic_deposits - ${large})`

/** Schedule RC-O, what deposit insurance is assessed on. */
export const insurance = schedule('RCO', [
  domestic('F049', 'DEPOSIT ACCOUNTS OF $250,000 OR LESS, AMOUNT', small),
  domestic('F050', 'DEPOSIT ACCOUNTS OF $250,000 OR LESS, NUMBER', `round(${small} / 11)`),
  domestic('F051', 'DEPOSIT ACCOUNTS OF MORE THAN $250,000, AMOUNT', large),
  domestic('F052', 'DEPOSIT ACCOUNTS OF MORE THAN $250,000, NUMBER', `round(${large} / 1100)`),
  // Asked of banks with $1 billion or more in total assets.
  domestic('5597', 'ESTIMATED AMOUNT OF UNINSURED DEPOSITS', 'if(total_assets >= 1000000, uninsured, NULL)'),
])
