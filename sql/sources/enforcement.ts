/** Enforcement actions of all agencies of banks: one table, with one vocabulary of types beside each agency's own words. */
import { quotedList } from '../quoted.ts'
import { stateNames, states } from '../states.ts'
import { computed, type SourceColumn } from './columns.ts'
import type { TableDeclaration } from './declare.ts'
import { enforcementDemo } from './enforcement-demo.ts'

export const ENFORCEMENT = 'enforcement_actions'

/** The vocabulary of types, the gravest first, each with what an agency's words for it have in common. */
const words: Readonly<Record<string, string>> = {
  deposit_insurance: 'deposit insurance|section 8\\\\(a\\\\)',
  prompt_corrective_action: 'prompt corrective|pca directive|^pca\\\\b',
  capital_directive: 'capital directive',
  safety_and_soundness_order: 'safety and soundness',
  cease_and_desist: 'cease|consent order',
  formal_agreement: 'written agreement|formal agreement|supervisory agreement|memorandum|understanding',
  prohibition: 'prohibition|removal',
  suspension: 'suspen',
  civil_money_penalty: 'civil money|\\\\bcmp\\\\b|order to pay',
  restitution: 'restitution|reimburse',
  section_19: 'section 19\\\\b|\\\\b1829\\\\b',
  notice: '^notices? (of (intent|charge|assess)|filed)',
}

/** What is no action of its own: it changes or ends another. */
const changes: Readonly<Record<string, string>> = {
  change: '^(amend|modif|supplement|correct)',
  termination: '^(order |notice )?(of )?terminat',
}

export const enforcementTypes: readonly string[] = [...Object.keys(words), ...Object.keys(changes), 'other']

/** SQL of the types of an action from the agency's words; one at least. */
export function typesOf(text: string): string {
  const lower = `trimBoth(lower(${text}))`
  const first = Object.entries(changes).map(([key, pattern]) => `match(${lower}, '${pattern}'), ['${key}']`)
  const found = Object.entries(words).map(
    ([key, pattern]) => `if(match(${lower}, '${pattern}'), '${key}', '')`,
  )
  const known = `arrayFilter(one -> one != '', [${found.join(', ')}])`
  return `multiIf(${first.join(', ')}, notEmpty(${known}), ${known}, ['other'])`
}

/** SQL of the sum of the amounts in a text, in thousands: `Civil Money Penalty $5,000`, `$54.75 million`; NULL: none. */
export const penaltyIn = (text: string): string => `nullIf(arraySum(arrayMap(
  one -> toFloat64OrZero(replaceAll(one[1], ',', '')) * multiIf(lower(one[2]) = 'billion', 1e6, lower(one[2]) = 'million', 1e3, 1e-3),
  extractAllGroupsVertical(${text}, '(?:[$]|[Pp]enalty,? +)\\\\s*([0-9][0-9,]*(?:[.][0-9]+)?)\\\\s*((?i:million|billion))?'))), 0)`

const named = Object.entries(stateNames).map(([state, name]) => [name.toLowerCase(), state] as const)

/** SQL of the USPS code of a state that is written out or as its code. */
export const stateOf = (text: string): string =>
  `transform(lower(${text}), ${quotedList(named.map(([name]) => name))}, ${quotedList(named.map(([, state]) => state))}, upper(${text}))`

// New York is a city too: the state is its code once `cleaned` has read a text
const anyState = [...Object.values(stateNames).filter((name) => name !== 'New York'), ...states].join('|')
const cleaned = (text: string) =>
  `replaceRegexpAll(replaceAll(replaceAll(assumeNotNull(${text}), 'D.C.', 'DC'), 'New York, New York', 'New York, NY'), ', New York *(;|$|,? and )', ', NY\\\\1')`
/** `Hanmi Bank, Los Angeles, California`, and what stands before the next one. */
const placed = `([^;]+?)\\\\s*,\\\\s*(?:both of |all of )?([^,;]+?)\\\\s*,\\\\s*(${anyState})\\\\b[.]?(?:\\\\s*[(][^)]*[)])?\\\\s*(?:,\\\\s*(?:and\\\\s+)?|\\\\s+and\\\\s+|$)`
/** `Pacific Western Bancshares and Pacific Western Bank`: two, as what stands before the “and” is a company by itself. */
const company = `^(.*\\\\b(?:Inc|Corp|Corporation|Bancshares|Bankshares|Bancorp|Bancorporation|Holdings|Ltd|LLC)\\\\b[.]?),?\\\\s+and\\\\s+(.+)$`

/**
 * SQL of the institutions that a text names, as tuples of name, city, state and number: each with its place
 * (`A, Town, State; and B, Town, ST`), or, where the text gives none, by name alone.
 */
export function partiesIn(text: string): string {
  const groups = `extractAllGroupsVertical(part, '${placed}')`
  const ofPart = `if(empty(${groups}), [(part, '', '', '')], arrayFlatten(arrayMap(
    g -> arrayMap(name -> (name, g[2], ${stateOf('g[3]')}, ''), if(match(g[1], '${company}'), extractGroups(g[1], '${company}'), [g[1]])), ${groups})))`
  return `arrayFlatten(arrayMap(part -> ${ofPart},
    arrayFilter(part -> part != '', arrayMap(part -> replaceRegexpOne(trimBoth(part), '^and\\\\s+', ''), splitByChar(';', ${cleaned(text)})))))`
}

/** SQL over the columns that an agency's file has. Texts that are absent are NULL, and lists empty. */
export interface Told {
  id: string
  number: string
  /** The agency's words for what it did, and the text that tells the types where it is not the same. */
  agencyType: string
  types?: string
  institution: string
  parties: string
  persons: string
  start: string
  end: string
  /** In thousands. */
  penalty: string
  documents: string
  subjects: string
  note: string
}

/** The table as an agency's file fills it. @param raw the columns of its file, all of them hidden */
export function enforcementTable(
  agency: string,
  raw: Readonly<Record<string, SourceColumn>>,
  told: Told,
): TableDeclaration {
  return {
    doc: 'An enforcement action, as its agency published it.',
    columns: {
      ...raw,
      agency: repeated(computed('String', `'${agency}'`, { doc: 'FRB, OCC or FDIC.' })),
      id: computed('String', told.id, { label: 'Action', doc: 'Tells it from all others of the agency.' }),
      number: computed('Nullable(String)', told.number, { doc: 'Docket or order number.' }),
      type: repeated(computed('String', 'types[1]', { doc: 'The gravest of its types.' })),
      types: computed('Array(String)', typesOf(told.types ?? told.agencyType), {
        doc: `Of one vocabulary for all agencies: ${enforcementTypes.join(', ')}.`,
      }),
      agency_type: computed('String', told.agencyType, { label: 'Type in the agency’s words' }),
      institution: computed('Nullable(String)', told.institution, {
        doc: 'Whom the agency names as the institution, or as that of the persons.',
      }),
      parties: computed('Array(Tuple(String, String, String, String))', told.parties),
      city: computed('Nullable(String)', `nullIf(parties[1].2, '')`, {
        doc: 'Of the institution that is named first.',
      }),
      state: repeated(
        computed('Nullable(String)', `if(has(${quotedList(states)}, parties[1].3), parties[1].3, NULL)`),
      ),
      persons: computed('Array(String)', told.persons, {
        doc: 'Whom it is against, where it is not the institution.',
      }),
      start_date: computed('Date32', told.start, { label: 'Effective' }),
      end_date: computed('Nullable(Date32)', told.end, {
        label: 'Terminated',
        doc: 'Null: nothing is known of its end.',
      }),
      penalty: computed('Nullable(Float64)', told.penalty, {
        unit: 'thousands of US dollars',
        doc: 'Civil money penalty, of all persons and institutions that it names together.',
      }),
      documents: computed('Array(String)', told.documents, { doc: 'Addresses of its documents.' }),
      subjects: computed('Array(String)', told.subjects, { doc: 'What it is about; of the OCC alone.' }),
      note: computed('Nullable(String)', told.note),
    },
    unique: ['agency', 'id'],
    order: ['start_date', 'agency', 'id'],
    partition: 'agency',
    edition: { replaces: 'partition', shrink: 0.9 },
    time: { kind: 'day', column: 'start_date' },
    link: [
      { ...link, entity: 'bank', where: `agency = '${agency}'` },
      { ...link, entity: 'holding_company', as: 'holding_company_rssd_id', where: `agency = '${agency}'` },
    ],
    demo: enforcementDemo,
  }
}

const repeated = (column: SourceColumn): SourceColumn => ({ ...column, repeated: true })

const link = {
  parties: 'parties',
  own: `concat(agency, ': ', arrayStringConcat(arrayFilter(one -> one != '', [party.1, party.2, party.3, party.4]), ', '))`,
  numbers: `if(party.4 = '', [], [party.4])`,
  ...{ name: 'party.1', city: 'party.2', state: 'party.3', seen: 'start_date' },
}
