import { dataset } from '../../catalog/define.ts'
import { search, word } from '../../catalog/parameters.ts'
import { mdrmDefinition } from '../../catalog/parts/mdrm-definition.ts'

export default dataset({
  key: 'mdrm',
  summary:
    'Items of the Federal Reserve’s Micro Data Reference Manual and of the Call Report’s schedules, by code.',
  from: 'mdrm_items',
  grain: ['code'],
  parameters: {
    q: {
      ...search(['code', "ifNull(name, '')", "ifNull(description, '')"]),
      doc: 'Words that must all occur in code, name or description, without regard to case.',
    },
    form: word({
      doc: 'Reporting form as the MDRM names it, or a Call Report schedule.',
      pattern: /^[A-Za-z0-9 ./-]{1,60}$/,
      where: 'arrayExists(one -> upper(one) = upper({form:String}), arrayConcat(forms, schedules))',
      example: 'RC',
    }),
  },
  limit: { default: 100, most: 10_000 },
  columns: mdrmDefinition,
  sources: ['mdrm', 'ffiec-call-report'],
  examples: [
    { title: 'Items that speak of deposits', query: 'q=deposits', expect: { least: 1 } },
    { title: 'The balance sheet', query: 'form=RC&fields=code,name', expect: { least: 1 } },
  ],
})
