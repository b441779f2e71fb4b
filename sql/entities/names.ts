/** One spelling of the names of institutions and of places, as SQL over a text. */
import { quotedList } from '../quoted.ts'
import { states } from '../states.ts'

/** The words of a text in lower case, without accents, apostrophes and full stops: `N.A.` is `na`. */
const words = (text: string): string =>
  `splitByChar(' ', trimBoth(replaceRegexpAll(replaceAll(replaceRegexpAll(lowerUTF8(${text}), '[\\\\x27’.]', ''), '&', ' and '), '[^\\\\p{L}\\\\p{N}]+', ' ')))`

/** Each word by the first spelling that is given for it; some are left out. */
const respelled = (
  list: string,
  spellings: Readonly<Record<string, string>>,
  without: readonly string[] = [],
) => {
  const from = quotedList(Object.keys(spellings))
  const to = quotedList(Object.values(spellings))
  const kept = `arrayFilter(word -> NOT has(${quotedList(['', ...without])}, word), ${list})`
  return `arrayStringConcat(arrayMap(word -> transform(word, ${from}, ${to}, word), ${kept}), ' ')`
}

const PLACES = {
  st: 'saint',
  ste: 'sainte',
  ft: 'fort',
  mt: 'mount',
  twp: 'township',
  hts: 'heights',
  spgs: 'springs',
}
const NAMES = {
  ...PLACES,
  ...{ natl: 'national', nat: 'national', bk: 'bank', bkg: 'banking', tr: 'trust', fed: 'federal' },
  ...{
    svgs: 'savings',
    svg: 'savings',
    sav: 'savings',
    assn: 'association',
    assoc: 'association',
    cnty: 'county',
    // said alike, and kept: a bank's name with “Corporation” behind it is its holding company's
    corp: 'corporation',
  },
}
/** What a charter adds to a name. */
const CHARTER = ['na', 'inc', 'incorporated', 'co', 'company', 'fsb', 'ssb', 'fa', 'the', 'of']

/** A name without what a charter adds to it, and without the name that it does business as. */
export function bareName(text: string): string {
  const own = `replaceRegexpOne(lowerUTF8(${text}), '([(,] *| )(d[/.]?b[/.]?a|doing business as|also operating as)\\\\b.*$', '')`
  const plain = `replaceRegexpAll(${own}, ',? *\\\\b(national association|federal savings bank|n a)\\\\b', '')`
  return respelled(words(plain), NAMES, CHARTER)
}

/** How the names of issuers are cut short in lists of securities. */
const ISSUERS = {
  ...{
    finl: 'financial',
    fin: 'financial',
    svcs: 'services',
    svc: 'services',
    grp: 'group',
    amer: 'america',
  },
  ...{ hldgs: 'holdings', hldg: 'holding', ctzns: 'citizens', intl: 'international', cmnty: 'community' },
  ...{
    bancshs: 'bancshares',
    bkshs: 'bankshares',
    bancorporat: 'bancorporation',
    vy: 'valley',
    pac: 'pacific',
  },
  ...{ mtn: 'mountain', southn: 'southern', northn: 'northern', westn: 'western', eastn: 'eastern' },
  ...{ commwlth: 'commonwealth', comm: 'community', fncl: 'financial', financl: 'financial' },
}

/**
 * SQL of an issuer's name without what a list of securities puts behind it to tell it from its namesakes or its older self:
 * `BANK AMER CORP` is `bank america corp`, `US BANCORP DEL` and `KEYCORP NEW` are without their last words.
 */
export const issuerName = (text: string): string =>
  `replaceRegexpOne(${respelled(words(text), ISSUERS)}, '( (new|del|[nsw] [a-z]|${states.join('|').toLowerCase()}|ind|tex|calif|mass|wis))+$', '')`

/** A place by its letters: `St. Louis` is `saintlouis`, and `La Grange` `lagrange`. */
export const barePlace = (text: string): string => `replaceAll(${respelled(words(text), PLACES)}, ' ', '')`

const STREETS = {
  ...{
    street: 'st',
    avenue: 'ave',
    av: 'ave',
    road: 'rd',
    boulevard: 'blvd',
    drive: 'dr',
    lane: 'ln',
    court: 'ct',
  },
  ...{
    place: 'pl',
    square: 'sq',
    highway: 'hwy',
    parkway: 'pkwy',
    pky: 'pkwy',
    circle: 'cir',
    terrace: 'ter',
  },
  ...{
    plaza: 'plz',
    turnpike: 'tpke',
    route: 'rte',
    rt: 'rte',
    center: 'ctr',
    centre: 'ctr',
    building: 'bldg',
  },
  ...{
    north: 'n',
    south: 's',
    east: 'e',
    west: 'w',
    northeast: 'ne',
    northwest: 'nw',
    southeast: 'se',
    southwest: 'sw',
  },
  ...{
    first: '1st',
    second: '2nd',
    third: '3rd',
    fourth: '4th',
    fifth: '5th',
    saint: 'st',
    mount: 'mt',
    fort: 'ft',
  },
}
/** Where in a building: what follows is no part of the street. */
const WITHIN = quotedList(['suite', 'ste', 'floor', 'fl', 'unit', 'room', 'rm', 'lobby'])

/**
 * A street address in one spelling, without suite and floor: `100 North Main Street, Suite 5` is `100 n main st`. For
 * queries of a request: a regular expression would cost more to read than all else in them.
 */
export const bareAddress = (text: string): string => {
  const all = `splitByNonAlpha(lower(${text}))`
  const end = `arrayFirstIndex(word -> has(${WITHIN}, word), ${all})`
  return respelled(`if(${end} > 1, arraySlice(${all}, 1, ${end} - 1), ${all})`, STREETS)
}

/** The name of a branch in one spelling, likewise. */
export const bareBranch = (text: string): string =>
  respelled(`splitByNonAlpha(lower(${text}))`, NAMES, ['branch', 'office', 'br', 'the'])
