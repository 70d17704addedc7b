import type { Fault } from './fault.ts'

const HEAT = ['server/attack/heat/heat-model.test.ts']
const GAPS = ['server/attack/heat/gaps.test.ts']
const RESULTS = ['server/attack/analyses/result.test.ts']
const SIGHT = ['server/attack/upgrades/sight.test.ts']
const LOADING = ['server/attack/upgrades/loading.test.ts']

/** Heat, analyses, and loading versions of attack frameworks. */
export const attackFaults: readonly Fault[] = [
  {
    breaks: 'heat, results and comparisons count entities that the caller does not see',
    file: 'server/attack/heat/scope.ts',
    from: 'return and([visible(ctx, entities), ...matching,',
    to: 'return and([...matching,',
    tests: RESULTS,
  },
  {
    breaks: 'a heat counts entities that the caller does not see',
    file: 'server/attack/heat/scope.ts',
    from: 'return and([visible(ctx, entities), ...matching',
    to: 'return and([...matching',
    tests: HEAT,
  },
  {
    breaks: 'what of sub-techniques is not covered does not flow into their technique',
    file: 'server/attack/heat/gaps.ts',
    from: 'share: 1 - open / score }',
    to: 'open: score * (1 - technique.share) }',
    tests: GAPS,
  },
  {
    breaks: 'parameters widen the scope of an analysis instead of narrowing it',
    file: 'server/attack/analyses/analysis.ts',
    from: 'scopes: [...own, ...plan.scopes] }',
    to: 'scopes: plan.scopes.length > 0 ? plan.scopes : own }',
    tests: RESULTS,
  },
  {
    breaks: 'a comparison ignores the layer of an analysis without a scope',
    file: 'server/attack/analyses/sides.ts',
    from: "(kind === 'layer' || isUnbounded(analysis))",
    to: "kind === 'layer'",
    tests: RESULTS,
  },
  {
    breaks: 'the preview of a version counts entities that the caller does not see',
    file: 'server/attack/upgrades/uses.ts',
    from: " and not t.is_unified and ${isSeen(ctx, 'entities')}\n",
    to: ' and not t.is_unified\n',
    tests: SIGHT,
  },
  {
    breaks: 'a load counts what it re-mapped of entities that the caller does not see',
    file: 'server/attack/upgrades/loads.ts',
    from: "where r.load = l.id and ${isSeen(ctx, 'entities')}),",
    to: 'where r.load = l.id),',
    tests: SIGHT,
  },
  {
    breaks: 'a review tells that entities use its node that the caller does not see',
    file: 'server/attack/upgrades/reviews.ts',
    from: 'if (!has_changed && !(used && isUsed(used))) return []',
    to: '',
    tests: SIGHT,
  },
  {
    breaks: 'a review that was decided tells that hidden entities used its node',
    file: 'server/attack/upgrades/reviews.ts',
    from: 'if (!has_changed && !(used && isUsed(used))) return []',
    to: "if (row.state === 'open' && !(used && isUsed(used))) return []",
    tests: SIGHT,
  },
  {
    breaks: 'a version is loaded that was compared with another one',
    file: 'server/attack/upgrades/load.ts',
    from: 'if (!preview.isSame)',
    to: 'if (!preview.hash)',
    tests: LOADING,
  },
]
