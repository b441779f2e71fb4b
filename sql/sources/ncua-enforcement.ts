import { code, computed, hidden, optional, orBlank, whole, words } from './columns.ts'
import { csv, hook, source } from './declare.ts'
import { typesOf } from './enforcement.ts'

const text = (headings: string) => hidden(orBlank(words(headings)))

/** The list of today gives first and last name, its page both in one. */
const who = `if(named != '', named, trimBoth(concat(first, ' ', last)))`

export const plainOrder = 'administrative_order'

export default source({
  key: 'ncua-enforcement',
  name: 'NCUA administrative orders',
  publisher: 'National Credit Union Administration',
  licence: 'Public domain (work of the United States government)',
  address: 'https://ncua.gov/news/enforcement-actions/administrative-orders',
  what: 'Orders, notices and letters against credit unions and their people since 1991, each with its year.',
  fetch: {
    base: 'https://ncua.gov',
    addresses: () => [
      { name: 'administrative-orders.csv', path: '/sites/default/files/list_csv/administrative-orders.csv' },
    ],
  },
  tables: {
    ncua_orders: {
      doc: 'An order of NCUA as its list has it.',
      absent: ['N/A'],
      columns: {
        first: text('First Name'),
        last: text('Last Name'),
        named: text('Name'),
        address: text('URL | Link'),
        kind: text('Type | Order Type | Action Type'),
        year: { ...whole('Year'), type: 'UInt16', read: (one) => `toUInt16OrNull(${one})` },
        docket: orBlank(words('Docket Number | Docket # | Docket', { label: 'Docket number' })),
        institution: words('Institution', { label: 'Credit union', doc: 'As NCUA names it.' }),
        city: optional(words('City')),
        state: optional(code('State')),
        id: computed(
          'String',
          `lower(hex(sipHash64(docket, first, last, named, institution, year, address)))`,
          { label: 'Order', doc: 'Tells it from all others.' },
        ),
        person: computed('Nullable(String)', `nullIf(if(${who} = institution, '', ${who}), '')`, {
          doc: 'Null where it is against the credit union.',
        }),
        relationship: optional(words('Relationship', { doc: 'Of the person to the credit union.' })),
        type: {
          ...computed('String', `if(types[1] = 'other', '${plainOrder}', types[1])`, {
            doc: 'Of the vocabulary of enforcement-feed, as far as the list or its address tells; else administrative_order.',
          }),
          repeated: true,
        },
        types: computed(
          'Array(String)',
          typesOf(
            `if(kind != '', kind, replaceAll(arrayElement(splitByChar('/', assumeNotNull(address)), -1), '-', ' '))`,
          ),
        ),
        document: computed(
          'Nullable(String)',
          `nullIf(if(startsWith(address, '/'), concat('https://ncua.gov', address), address), '')`,
          { doc: 'Address of the order.' },
        ),
      },
      unique: ['id'],
      order: ['year', 'id'],
      edition: { replaces: 'all', newest: 'year', shrink: 0.9 },
      time: { kind: 'year', column: 'year' },
      form: [
        csv(),
        hook('ncua-orders', {
          begins: (beginning) => /<table/i.test(beginning) || /^\s*<(!doctype html|html)/i.test(beginning),
          expected: 'a page of NCUA with its table of orders',
        }),
      ],
      demo: `
        SELECT toUInt16(2026 - number % 20) AS year, concat(toString(year % 100), '-', leftPad(toString(number), 4, '0'), '-ER') AS docket,
          concat(p.city, ' Employees Federal Credit Union') AS institution, p.city AS city, p.state AS state, lower(hex(cityHash64(number))) AS id,
          if(number % 4 = 0, NULL, concat(['A.', 'B.', 'C.'][1 + number % 3], ' Nobody')) AS person, if(number % 4 = 0, NULL, 'Former Employee') AS relationship,
          if(number % 4 = 0, 'cease_and_desist', 'prohibition') AS type, [type] AS types, concat('https://agency.example/', docket) AS document
        FROM numbers(80) AS n INNER JOIN (SELECT city, state, toUInt64(row_number() OVER (ORDER BY state, town) - 1) AS place FROM demo_places) AS p ON p.place = number * 2`,
      link: {
        entity: 'credit_union',
        own: `concat(institution, ', ', ifNull(city, ''), ', ', ifNull(state, ''))`,
        name: 'institution',
        city: 'city',
        state: 'state',
      },
    },
  },
})
