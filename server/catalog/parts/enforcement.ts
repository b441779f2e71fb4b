/** What datasets of enforcement actions have in common. */
import { ENFORCEMENT, enforcementTypes } from '../../../sql/sources/enforcement.ts'
import { oneOfMany, timeParameters } from '../parameters.ts'
import { columnsOf, declaredTable } from '../tables.ts'

export const actions = declaredTable(ENFORCEMENT)

export const enforcementSources = ['frb-enforcement', 'occ-enforcement', 'fdic-enforcement']

export const actionColumns = columnsOf(actions, [
  ...['agency', 'id', 'number', 'type', 'types', 'agency_type', 'institution', 'city', 'state', 'persons'],
  ...['start_date', 'end_date', 'penalty', 'documents', 'subjects', 'note'],
])

export const actionParameters = {
  ...timeParameters(actions.time),
  agency: oneOfMany('agency', ['FRB', 'OCC', 'FDIC'], { doc: 'Agency, or several by comma.' }),
  type: {
    ...oneOfMany('type', enforcementTypes, { doc: 'Actions of this type, or of any of several by comma.' }),
    where: 'hasAny(types, {type:Array(String)})',
  },
}
