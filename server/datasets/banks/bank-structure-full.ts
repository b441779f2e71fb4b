import { code, flag, objects, rssdId, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import {
  relationshipColumns,
  relationshipsAmong,
  relativeColumns,
  structure,
  structureParameters,
  structureSql,
  transformationColumns,
} from '../../catalog/parts/structure.ts'

export default dataset({
  key: 'bank-structure-full',
  summary:
    'Everyone above and below one bank or holding company as of a day, with direct and effective ownership, and its mergers and other transformations before and after as trees.',
  notes:
    'From NIC. `percent_effective` multiplies the shares along each path and adds up all paths; of institutions that own each other round and round it is the series that this makes. `exact` is false where NIC tells a share as a bracket (then the lower end counts) or not at all. `controlled` says whether control leads all the way; relationships below control are listed too. `relationships` are the edges: all direct ones among those that are listed. With `as_of`, those in force on that day, under the names of that day where NIC tells them, and the transformations up to it. The trees stand in the order of reading: `depth` 1 is of the bank itself.',
  from: (scope) => `
SELECT {rssd_id:UInt32} AS rssd_id, institution.*, relationships, {structure_complete:Bool} AS complete
FROM (${structureSql(scope, ['parents', 'subsidiaries', 'predecessors', 'successors'])}) AS institution
CROSS JOIN ${relationshipsAmong(scope)} AS among`,
  grain: ['rssd_id'],
  steps: [structure],
  parameters: structureParameters,
  columns: [
    rssdId,
    text('legal_name', 'Legal name', { nullable: true }),
    code('entity_type', 'Entity type', { nullable: true, doc: 'NIC’s.' }),
    text('city', 'City', { nullable: true }),
    code('state', 'State', { nullable: true }),
    flag('complete', 'Complete', {
      doc: 'False where the group is so large or so entangled that the furthest were left out, and shares are the least that was found.',
    }),
    objects('parents', 'Parents', relativeColumns, { doc: 'All above, nearest first.' }),
    objects('subsidiaries', 'Subsidiaries', relativeColumns, { doc: 'All below, nearest first.' }),
    objects('relationships', 'Relationships', relationshipColumns),
    objects('predecessors', 'Predecessors', transformationColumns, {
      doc: 'What became part of it, newest first.',
    }),
    objects('successors', 'Successors', transformationColumns, { doc: 'What it became, oldest first.' }),
  ],
  sources: ['nic-relationships', 'nic-attributes', 'nic-transformations'],
  examples: [
    { title: 'The group today', expect: { rows: 1 } },
    { title: 'As of the end of 2020', query: 'as_of=2020-12-31', expect: { rows: 1 } },
  ],
})
