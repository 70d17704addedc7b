import type { Fault } from './fault.ts'

/** Updates of existing objects: what is kept, replaced and remembered. */
export const mergingFaults: readonly Fault[] = [
  {
    breaks: 'PUT of a known entity clears meta fields that are not given',
    file: 'server/intelligence/entities/write.ts',
    from: 'meta: { ...row.meta, ...item.meta },',
    to: 'meta: { ...item.meta },',
    tests: ['server/intelligence/entities/meta.test.ts', 'server/intelligence/entities/changes.test.ts'],
  },
  {
    breaks: 'PUT of a known entity without sources moves it to the source of the caller',
    file: 'server/intelligence/entities/write.ts',
    from: 'sourceNumber: sourceOf(item.sources ? entity.vis : row.vis),',
    to: 'sourceNumber: sourceOf(entity.vis),',
    tests: ['server/identity/source-of.test.ts'],
  },
  {
    breaks: 'PATCH of an entity without observables removes them',
    file: 'server/intelligence/entities/link-entities.ts',
    from: 'item.observables === undefined ? [] : row.observables.filter((id) => !now.has(id))',
    to: 'row.observables.filter((id) => !now.has(id))',
    tests: ['server/intelligence/entities'],
  },
  {
    breaks: 'an entity that is sent again unchanged gets a new version',
    file: 'server/intelligence/entities/write.ts',
    from: "isSame('data') && isSame('meta'))",
    to: "isSame('data') && entity.meta === row.meta)",
    tests: ['server/intelligence/entities/changes.test.ts', 'server/intelligence/entities/entities.test.ts'],
  },
  {
    breaks: 'the placeholder of an entity is stored as its first version',
    file: 'server/intelligence/entities/store.ts',
    from: '      where not t.is_unresolved\n    ), changed',
    to: '    ), changed',
    tests: ['server/intelligence/entities/references.test.ts'],
  },
  {
    breaks: 'an update of a relationship removes sources that the caller does not see',
    file: 'server/intelligence/relationships/write-relationships.ts',
    from: 'return [...new Set([...coloured(draft.vis), ...row.vis.filter((key) => !held.has(key))])]',
    to: 'return [...new Set(coloured(draft.vis))]',
    tests: ['server/intelligence/relationships/sight.test.ts'],
  },
  {
    breaks: 'PUT of a known relationship clears meta fields that are not given',
    file: 'server/intelligence/relationships/write-relationships.ts',
    from: 'meta: options.isWhole ? draft.meta : { ...row.meta, ...draft.meta },',
    to: 'meta: draft.meta,',
    tests: ['server/intelligence/relationships/sight.test.ts'],
  },
  {
    breaks: 'the TLP colour of a relationship does not affect who sees it',
    file: 'server/intelligence/relationships/write-relationships.ts',
    from: 'const rank = rankOf((saysColour ? draft.vis[0] : row.vis[0]) ?? 0)',
    to: 'const rank = rankOf(row.vis[0] ?? 0)',
    tests: ['server/intelligence/relationships/sight.test.ts'],
  },
]
