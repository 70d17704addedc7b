import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { CallError, call, notifySignedOut, setCsrfToken } from './call.ts'
import { queries } from './queries.ts'

/** A step that a session must complete before it can do anything else. */
export type Limit = 'must_change_password' | 'must_set_up_two_factor' | 'must_give_code'

export interface Session {
  readonly user: string
  readonly csrf_token: string | null
  readonly expires_at: string | null
  readonly limits: readonly Limit[]
  readonly sign_out_url: string | null
  /** The names of the user's permissions. */
  readonly permissions: readonly string[]
}

export interface SignInMethods {
  readonly password: boolean
  readonly proxy: boolean
  readonly identity_providers: readonly {
    readonly identity_provider: string
    readonly name: string
    readonly start_url: string
  }[]
}

/** The current session; null if no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ queryKey }): Promise<Session | null> => {
    try {
      return storeCsrfToken(await call<{ data: Session }>('GET', 'session'))
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 401) throw error
      const before = queries.getQueryData<Session | null>(queryKey)
      // Keep the session when it expires: without it, all open forms would be unmounted and their input lost.
      if (before) notifySignedOut()
      return before ?? null
    }
  },
  staleTime: 60_000,
})

export const methodsQuery = queryOptions({
  queryKey: ['session', 'methods'],
  queryFn: async () => (await call<{ data: SignInMethods }>('GET', 'session/methods')).data,
})

/** Signs in; if the one-time code is missing, the error says that it is required. */
export async function signIn(proof: { username: string; password: string; code?: string }): Promise<Session> {
  return startSession(storeCsrfToken(await call<{ data: Session }>('POST', 'session', { data: proof })))
}

/** Signs in as the user named by the authenticating proxy. */
export async function signInByProxy(): Promise<Session> {
  return startSession(storeCsrfToken(await call<{ data: Session }>('POST', 'session/proxy')))
}

/** Signs out and clears all cached data. */
export async function signOut(): Promise<void> {
  const session = queries.getQueryData(sessionQuery.queryKey)
  await call('DELETE', 'session')
  queries.clear()
  setCsrfToken('')
  if (session?.sign_out_url) window.location.assign(session.sign_out_url)
}

/** Reloads the session and its remaining required steps. */
export async function renewSession(): Promise<Session> {
  const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (!session) throw new CallError(401, [])
  return session
}

/** Whether the user has a permission, such as `modify entities`. */
export function useMay(): (permission: string) => boolean {
  const { data } = useQuery(sessionQuery)
  return (permission) => data?.permissions.includes(permission) ?? false
}

/** Keeps cached data if the same user signs in again, and drops it for a different user. */
async function startSession({ user }: Session): Promise<Session> {
  const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== 'session' }
  const isSameUser = queries.getQueryData(sessionQuery.queryKey)?.user === user
  if (!isSameUser) queries.removeQueries(others)
  const session = await renewSession()
  if (isSameUser) void queries.invalidateQueries(others)
  return session
}

function storeCsrfToken({ data }: { readonly data: Session }): Session {
  setCsrfToken(data.csrf_token ?? '')
  return data
}
