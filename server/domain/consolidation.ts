/** What can represent a unified entity in feeds and exports: its contributors, itself in their place, or all of them. */
export const CONSOLIDATIONS = ['contributors', 'unified', 'all'] as const

export type Consolidation = (typeof CONSOLIDATIONS)[number]
