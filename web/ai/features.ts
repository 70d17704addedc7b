import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { useMay } from '../api/session.ts'

interface Availability {
  /** The features that work, by provider. */
  readonly settings: Readonly<Record<string, readonly string[]>>
  /** The most restricted colour that each provider receives. */
  readonly max_tlp: Readonly<Record<string, string>>
}

/** Read again when the configuration changes, because its path comes first. */
const availabilityQuery = queryOptions({
  queryKey: ['configurations/ai', 'features'],
  queryFn: async ({ signal }) => (await call<{ data: Availability }>('GET', 'ai/features', undefined, signal)).data,
  staleTime: 60_000,
  retry: false,
})

/** The features of language models that the user can use. */
export function useAiAvailability(): { readonly isKnown: boolean; readonly has: (feature: string) => boolean } {
  const may = useMay()
  const { data, isPending } = useQuery({ ...availabilityQuery, enabled: may('read configurations') })
  const features = data ? Object.values(data.settings).flat() : []
  return { isKnown: !isPending, has: (feature) => features.includes(feature) }
}

/** The provider of a feature and the most restricted colour that it receives; undefined if the feature is not available. */
export function useAiProvider(feature: string): { readonly provider: string; readonly ceiling: string } | undefined {
  const may = useMay()
  const { data } = useQuery({ ...availabilityQuery, enabled: may('read configurations') })
  const [provider] = Object.entries(data?.settings ?? {}).find(([, features]) => features.includes(feature)) ?? []
  return provider === undefined ? undefined : { provider, ceiling: data?.max_tlp[provider] ?? 'NONE' }
}

/** Whether the user can use a feature of language models. What is not available is not shown at all. */
export const useAiFeature = (feature: string): boolean => useAiAvailability().has(feature)
