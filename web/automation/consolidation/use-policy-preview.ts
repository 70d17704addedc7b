import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CallError, call } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import type { Reason } from '../../domain/match-reasons.ts'
import { PREVIEW_DELAY_MS } from '../preview-delay.ts'
import { POLICIES } from './policy.ts'
import { configurationBody, lackOf, type PolicyValues } from './policy-values.ts'

/** What a policy would join, as far as the user sees it. */
export interface PolicyPreview {
  /** The number of entities that were compared. */
  readonly judged: number
  readonly is_sample: boolean
  readonly groups: number
  readonly contributors: number
  readonly by_type: readonly { readonly type: string; readonly groups: number; readonly contributors: number }[]
  readonly by_key: readonly { readonly kind: string; readonly count: number }[]
  readonly suggestions: number
  readonly samples: readonly PreviewedGroup[]
  readonly switched_off: readonly (Reason & { readonly members: number })[]
}

/** A unified entity that would come about. */
export interface PreviewedGroup {
  readonly type: string
  readonly title: string
  readonly contributors: readonly { readonly entity: string; readonly title: string; readonly source_name: string }[]
  readonly keys: readonly Reason[]
}

/** What a policy would join while the user types; `isBehind` says that the result is not yet that of the current state. */
export function usePolicyPreview(values: PolicyValues, id?: number) {
  const mayRead = useMay()('read entities')
  const lack = mayRead ? lackOf(values) : 'The preview requires the permission “read entities”.'
  const text = JSON.stringify({
    ...(values.mergeGroup !== '' && { merge_group: Number(values.mergeGroup) }),
    configurations: values.configurations.map(configurationBody),
    ...(id !== undefined && { id }),
  })
  const [settled] = useDebouncedValue(text, PREVIEW_DELAY_MS)
  const path = `${POLICIES.path}/preview`
  const preview = useQuery({
    // The key changes with every keystroke, which cancels the request of the former state at once.
    queryKey: [path, text],
    queryFn: async ({ signal }) =>
      (await call<{ data: PolicyPreview }>('POST', path, { data: JSON.parse(text) as unknown }, signal)).data,
    enabled: lack === undefined && text === settled,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { lack, preview: { ...preview, isBehind: text !== settled || preview.isFetching } }
}

/** Whether the server refused the policy itself. */
export const isRefused = (error: unknown): boolean => error instanceof CallError && error.status === 400

export type LivePolicyPreview = ReturnType<typeof usePolicyPreview>
