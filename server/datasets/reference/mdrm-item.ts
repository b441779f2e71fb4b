import { strings, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { word } from '../../catalog/parameters.ts'
import { mdrmDefinition } from '../../catalog/parts/mdrm-definition.ts'

export default dataset({
  key: 'mdrm-item',
  summary: 'One MDRM item: name, description, forms, validity and the metrics and UBPR concepts that use it.',
  from: 'mdrm_items',
  grain: ['code'],
  parameters: {
    code: word({
      doc: 'MDRM code: series mnemonic and item number.',
      pattern: /^[A-Z]{4}[A-Z0-9]{4}$/,
      upper: true,
      where: 'code = {code:String}',
      noun: 'MDRM item',
      example: 'RCON2170',
    }),
  },
  columns: [
    ...mdrmDefinition,
    text('description', 'Description', { nullable: true }),
    strings('metrics', 'Metrics', { doc: 'Keys of the metrics whose formulas look at the item.' }),
    strings('ubpr_concepts', 'UBPR concepts', {
      doc: 'Codes of the concepts of the UBPR whose formulas look at the item.',
    }),
  ],
  sources: ['mdrm', 'ffiec-call-report'],
  examples: [{ title: 'Total assets', expect: { rows: 1 } }],
})
