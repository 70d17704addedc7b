import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { PREVIEW_DELAY_MS } from '../preview-delay.ts'
import { ENTITY_RULES } from '../rule-kind.ts'
import type { RulePreview } from './entity-rule.ts'
import { lackOf, type RuleValues, ruleBody } from './rule-values.ts'

/** Shown by the preview while the rule has no name. */
const UNNAMED = 'New rule'

/**
 * What a rule would change while the user types. The request of a former state is cancelled; `isBehind` says that the result is not yet that
 * of the current state.
 */
export function useRulePreview(values: RuleValues, id?: number) {
  const lack = lackOf(values)
  const { description: _, ...body } = ruleBody(values)
  const text = JSON.stringify({ ...body, name: body.name || UNNAMED, is_active: true, ...(id !== undefined && { id }) })
  const [settled] = useDebouncedValue(text, PREVIEW_DELAY_MS)
  const preview = useQuery({
    // The key changes with every keystroke, which cancels the request of the former state at once.
    queryKey: [`${ENTITY_RULES.path}/preview`, text],
    queryFn: async ({ signal }) => {
      const data: unknown = JSON.parse(text)
      return (await call<{ data: RulePreview }>('POST', `${ENTITY_RULES.path}/preview`, { data }, signal)).data
    },
    enabled: lack === undefined && text === settled,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { lack, preview: { ...preview, isBehind: text !== settled || preview.isFetching } }
}

export type LivePreview = ReturnType<typeof useRulePreview>
