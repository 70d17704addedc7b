import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { useMay } from '../api/session.ts'

interface Availability {
  /** The features that work, by provider. */
  readonly settings: Readonly<Record<string, readonly string[]>>
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

/** Whether the user can use a feature of language models. What is not available is not shown at all. */
export const useAiFeature = (feature: string): boolean => useAiAvailability().has(feature)
