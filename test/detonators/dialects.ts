import { capeDialect } from './dialects/cape.ts'
import type { Dialect } from './dialects/dialect.ts'
import { hybridAnalysisDialect } from './dialects/hybrid-analysis.ts'
import { joeDialect } from './dialects/joe.ts'
import { triageDialect } from './dialects/triage.ts'

export type { Analysis, Dialect, What } from './dialects/dialect.ts'

/** How each vendor speaks. */
export const dialects = {
  cape: capeDialect,
  triage: triageDialect,
  joe: joeDialect,
  hybrid_analysis: hybridAnalysisDialect,
} as const satisfies Record<string, Dialect>
