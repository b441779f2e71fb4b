import { attributesFile } from '../structure/nic-files.ts'
import { submissions } from './submissions.ts'

interface Loads {
  loadText(source: string, text: string, name?: string): Promise<unknown>
}

/** A bank, 100, that is a registrant itself: JPMorgan Chase, 19617, for tests with that registrant's real forms. */
export async function loadBank({ loadText }: Loads): Promise<void> {
  await loadText(
    'nic-attributes',
    attributesFile([
      {
        ...{ CHTR_TYPE_CD: 200, ENTITY_TYPE: 'NAT', STATE_ABBR_NM: 'NY', CITY: 'NEW YORK', ID_RSSD: 100 },
        ...{ NM_LGL: 'SOME BANK', ID_FDIC_CERT: 7, ID_TAX: 132624428 },
      },
    ]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  await loadText(
    'sec-submissions',
    submissions({
      ...{ cik: '0000019617', name: 'JPMORGAN CHASE & CO', ein: '132624428' },
      formerNames: [
        { name: 'CHEMICAL BANKING CORP', from: '1994-02-02T00:00:00.000Z', to: '1996-03-28T00:00:00.000Z' },
      ],
    }),
    'CIK0000019617.json',
  )
}
