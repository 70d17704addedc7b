import type { Context } from '../../engine/context.ts'
import { type CompiledAll, compileOwned } from '../owned-queries/compile-owned.ts'
import type { Criteria } from './criteria.ts'
import { startMatches } from './matches.ts'
import { lackOf } from './problems.ts'

/** Compiles rules, each with the sight of its owner, in a number of statements that does not depend on the number of rules. */
export const compileRules = (ctx: Context, rules: readonly Criteria[]): Promise<CompiledAll> =>
  compileOwned(ctx, rules, { noun: 'rule', lackOf, start: startMatches })
