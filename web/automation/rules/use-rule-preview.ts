import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CallError, call } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import { sortFaults } from '../../ui/faults.tsx'
import { PREVIEW_DELAY_MS } from '../preview-delay.ts'
import { ENTITY_RULES } from '../rule-kind.ts'
import type { RulePreview } from './entity-rule.ts'
import { lackOf, RULE_FIELDS, type RuleValues, ruleBody } from './rule-values.ts'

/** Shown by the preview while the rule has no name. */
const UNNAMED = 'New rule'

/** The permissions that the preview requires in addition to that for changing rules. */
const NEEDED = ['read entities', 'modify entities']

/**
 * What a rule would change while the user types. The request of a former state is cancelled; `isBehind` says that the result is not yet that
 * of the current state.
 */
export function useRulePreview(values: RuleValues, id?: number) {
  const may = useMay()
  const missing = NEEDED.find((permission) => !may(permission))
  const lack = missing ? `The preview requires the permission “${missing}”.` : lackOf(values)
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
  const isBehind = text !== settled || preview.isFetching
  const isShown = lack === undefined && !isBehind
  return {
    lack,
    preview: { ...preview, isBehind },
    /** What the server refuses in the rule, by field. */
    faults: sortFaults(isShown && isRefused(preview.error) ? preview.error : null, RULE_FIELDS),
  }
}

/** Whether the server refused the rule itself. */
export const isRefused = (error: unknown): boolean => error instanceof CallError && error.status === 400

export type LivePreview = ReturnType<typeof useRulePreview>
