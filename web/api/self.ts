import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** The signed-in user. */
export interface Self {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly firstname: string
  readonly lastname: string
  readonly is_admin: boolean
  readonly two_factor_enabled: boolean
  readonly locale: string
  readonly timezone: string
  readonly groups: readonly string[]
}

export const selfQuery = queryOptions({
  queryKey: ['users', 'self'],
  queryFn: async () => (await call<{ data: Self }>('GET', 'users/self')).data,
  staleTime: 60_000,
})
