import type { WholeDocument, WholeReading } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import { all, at, type Fields, isoDay, newest, readFilings, textAt } from './edgar-documents.ts'

const header = [
  ...['accession', 'filed', 'form', 'amendment', 'event', 'class', 'issuer cik', 'issuer name', 'cusip'],
  ...['person number', 'person cik', 'person', 'type', 'citizenship', 'sole voting', 'shared voting'],
  ...['sole dispositive', 'shared dispositive', 'owned', 'percent', 'purpose'],
]

/** Schedules 13D and 13G as XML: a record a reporting person. */
export function read(document: WholeDocument): WholeReading {
  return readFilings(document, header, ({ accession, filed, roots }) => {
    const schedule = at(roots, 'edgarSubmission')
    const cover = at(schedule, 'formData.coverPageHeader')
    if (cover === undefined) throw new LoadError(`${accession}: holds no cover page of a Schedule 13D or 13G`)
    const form = at(schedule, 'formData')
    const signed = [
      ...all(form, 'signatureInfo.signaturePerson').flatMap((one) => all(one, 'signatureDetails')),
      ...all(form, 'signatureInformation').flatMap((one) => all(one, 'signatureDetails')),
    ].map((one) => textAt(one, 'date'))
    const event = isoDay(
      textAt(cover, 'dateOfEvent') || textAt(cover, 'eventDateRequiresFilingThisStatement'),
    )
    const shared = {
      accession,
      filed: filed || newest(signed) || event,
      form: textAt(schedule, 'headerData.submissionType'),
      amendment: textAt(cover, 'amendmentNo'),
      event,
      class: textAt(cover, 'securitiesClassTitle'),
      'issuer cik': textAt(cover, 'issuerInfo.issuerCIK') || textAt(cover, 'issuerInfo.issuerCik'),
      'issuer name': textAt(cover, 'issuerInfo.issuerName'),
      cusip: (
        textAt(cover, 'issuerInfo.issuerCUSIP') ||
        textAt(cover, 'issuerInfo.issuerCusip') ||
        textAt(cover, 'issuerInfo.issuerCusips.issuerCusipNumber')
      ).toUpperCase(),
      purpose: textAt(form, 'items1To7.item4.transactionPurpose'),
    }
    return personsOf(form).map((person, index) => ({
      ...shared,
      'person number': String(index + 1),
      ...person,
    }))
  })
}

/** Reporting persons of a 13D, else of a 13G, which names the same things otherwise. */
function personsOf(form: unknown): Fields[] {
  const of13d = all(form, 'reportingPersons.reportingPersonInfo').map((one) => ({
    ...personOf(one, one),
    'person cik': textAt(one, 'reportingPersonCIK'),
    owned: textAt(one, 'aggregateAmountOwned'),
    percent: textAt(one, 'percentOfClass'),
  }))
  const of13g = all(form, 'coverPageHeaderReportingPersonDetails').map((one) => ({
    ...personOf(one, at(one, 'reportingPersonBeneficiallyOwnedNumberOfShares')),
    owned: textAt(one, 'reportingPersonBeneficiallyOwnedAggregateNumberOfShares'),
    percent: textAt(one, 'classPercent'),
  }))
  return [...of13d, ...of13g]
}

const personOf = (person: unknown, powers: unknown): Fields => ({
  person: textAt(person, 'reportingPersonName'),
  type: all(person, 'typeOfReportingPerson').map(String).join(','),
  citizenship: textAt(person, 'citizenshipOrOrganization'),
  'sole voting': textAt(powers, 'soleVotingPower'),
  'shared voting': textAt(powers, 'sharedVotingPower'),
  'sole dispositive': textAt(powers, 'soleDispositivePower'),
  'shared dispositive': textAt(powers, 'sharedDispositivePower'),
})
