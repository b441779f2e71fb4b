import { isoDateOf } from '../lib/dates.ts'
import type { TableRecord } from '../lib/table.ts'

/** A row of `fdic_institutions`, without its report date. */
export interface Institution {
  cert: number
  rssd_id: number | null
  name: string
  address: string
  city: string
  county: string
  state: string
  zip: string
  charter_class: string
  regulator: string
  holding_company_rssd_id: number | null
  holding_company_name: string | null
  established_date: string | null
  insured_date: string | null
  cbsa_code: string | null
  cbsa_name: string | null
  /** In a metropolitan statistical area; null where the file does not tell. */
  metropolitan: boolean | null
  web_address: string | null
  active: boolean | null
  specialization_group: number | null
  subchapter_s: boolean | null
  mutual: boolean | null
  offices: number | null
}

/** Columns of BankFind and SDI that are read, by their lower-case names. */
export const FIELDS =
  `active address bkclass cbsa cbsa_metro cbsa_metro_name cbsa_no cert city county dateupdt estymd
  fed_rssd insdate mutual name namehcr offdom offfor offices regagnt repdte rssdhcr rundate specgrp stalp subchaps
  webaddr zip`.split(/\s+/)

/** What FDIC says of one institution, or the words why it cannot be kept. */
export function institutionOf({ values }: TableRecord): Institution | string {
  const field = (name: string) => withoutNa(values.get(name) ?? '')
  const whole = (name: string) => wholeNumber(field(name))
  const text = (name: string) => field(name) || null
  const flag = (name: string) => flagOf(field(name))
  const cert = whole('cert')
  if (!cert) return `CERT is ${JSON.stringify(field('cert'))}, expected a number`
  return {
    cert,
    rssd_id: whole('fed_rssd') || null,
    name: field('name'),
    address: field('address'),
    city: field('city'),
    county: field('county'),
    state: field('stalp').toUpperCase(),
    zip: zipOf(field('zip')),
    charter_class: field('bkclass').toUpperCase(),
    regulator: field('regagnt').toUpperCase(),
    holding_company_rssd_id: whole('rssdhcr') || null,
    holding_company_name: text('namehcr'),
    established_date: isoDateOf(field('estymd')),
    insured_date: isoDateOf(field('insdate')),
    cbsa_code: codeOf(whole('cbsa_no') || whole('cbsa_metro')),
    cbsa_name: areaName(field('cbsa')) ?? areaName(field('cbsa_metro_name')),
    metropolitan: values.has('cbsa_metro') ? (whole('cbsa_metro') ?? 0) > 0 : null,
    web_address: text('webaddr'),
    active: flag('active'),
    specialization_group: whole('specgrp') || null,
    subchapter_s: flag('subchaps'),
    mutual: flag('mutual'),
    offices: whole('offices') ?? sumOf(whole('offdom'), whole('offfor')),
  }
}

// Tables that went through a statistics package say NA for a blank.
const withoutNa = (text: string) => (/^(NA|NaN|null)$/.test(text) ? '' : text)

/** `628`, `41180.0`; `null` for anything else. */
function wholeNumber(text: string): number | null {
  return /^\d{1,9}(\.0+)?$/.test(text) ? Number.parseInt(text, 10) : null
}

function flagOf(text: string): boolean | null {
  if (/^(1(\.0)?|y|yes|true|non-stock|mutual)$/i.test(text)) return true
  return /^(0(\.0)?|n|no|false|stock)$/i.test(text) ? false : null
}

/** Numbers lost their leading zeros: `8243` is `08243`. */
function zipOf(text: string): string {
  const digits = text.replace(/\.0+$/, '')
  return /^\d{3,4}$/.test(digits) ? digits.padStart(5, '0') : digits
}

const codeOf = (code: number | null) => (code ? String(code).padStart(5, '0') : null)
// BankFind writes 0 where an institution lies in no metropolitan area.
const areaName = (text: string) => (text === '' || text === '0' ? null : text)
const sumOf = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))
