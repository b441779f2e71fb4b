export type { Expr, Formula, Value, ValueType } from './ast.ts'
export { type CheckedFormula, type CheckOptions, check, checkEach } from './check.ts'
export { FormulaError, type Place } from './errors.ts'
export { functions } from './functions.ts'
export { type GuideItem, guideFormulas, guideItems, mended } from './guide.ts'
export { type FilingValues, interpreter } from './interpret.ts'
export { itemsOf } from './items.ts'
export { type Lineage, lineageOf } from './lineage.ts'
export { parse } from './parser.ts'
export {
  type CompileOptions,
  compile,
  type FormulaPlan,
  type PlanNode,
  type PlanOutput,
} from './plan.ts'
export { formulaSettings, type RenderOptions, renderSql } from './render.ts'
