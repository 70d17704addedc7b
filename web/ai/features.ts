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

/** Whether the user can use a feature of language models. What is not available is not shown at all. */
export function useAiFeature(feature: string): boolean {
  const may = useMay()
  const { data } = useQuery({ ...availabilityQuery, enabled: may('read configurations') })
  return data !== undefined && Object.values(data.settings).some((features) => features.includes(feature))
}
