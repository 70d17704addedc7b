/** What is shown of unified entities: them in place of their contributors, both, or only contributors. */
export type Consolidation = 'unified' | 'all' | 'contributors'

/** The ways to show unified entities, the default of pages first. */
export const CONSOLIDATIONS: readonly Consolidation[] = ['unified', 'all', 'contributors']
