import { useNames } from '../../api/names.ts'
import { useTaxonomyPaths } from '../../intelligence/taxonomies/taxonomy-paths.ts'
import type { RuleNames } from './rule-words.ts'

/** The names of what rules refer to; placeholders are shown for those that the user may not read. */
export const useRuleNames = (): RuleNames => ({
  sources: useNames('sources'),
  datasets: useNames('datasets'),
  taxonomies: useTaxonomyPaths(),
})
