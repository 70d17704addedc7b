import { type Query, queryOptions, useQuery } from '@tanstack/react-query'
import { CallError, call, setCsrfToken, tellSignedOut } from './call.ts'
import { queries } from './queries.ts'

/** What a session may have to do before it may do anything else. */
export type Limit = 'must_change_password' | 'must_set_up_two_factor' | 'must_give_code'

export interface Session {
  readonly user: string
  readonly csrf_token: string | null
  readonly expires_at: string | null
  readonly limits: readonly Limit[]
  readonly sign_out_url: string | null
  /** What the user may do, by name. */
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

/** Who is signed in; null where nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ queryKey }): Promise<Session | null> => {
    try {
      return begun(await call<{ data: Session }>('GET', 'session'))
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 401) throw error
      const before = queries.getQueryData<Session | null>(queryKey)
      // The pages of whoever was here stay as they are until they are back: without a session, all forms would go away.
      if (before) tellSignedOut()
      return before ?? null
    }
  },
  staleTime: 60_000,
})

export const methodsQuery = queryOptions({
  queryKey: ['session', 'methods'],
  queryFn: async () => (await call<{ data: SignInMethods }>('GET', 'session/methods')).data,
})

/** Signs in; the refusal of a missing code says that one is needed. */
export async function signIn(proof: { username: string; password: string; code?: string }): Promise<Session> {
  return enter(begun(await call<{ data: Session }>('POST', 'session', { data: proof })))
}

/** Signs in as whom the proxy before the server names. */
export async function signInByProxy(): Promise<Session> {
  return enter(begun(await call<{ data: Session }>('POST', 'session/proxy')))
}

/** Signs out, and forgets all that was known. */
export async function signOut(): Promise<void> {
  const session = queries.getQueryData(sessionQuery.queryKey)
  await call('DELETE', 'session')
  queries.clear()
  setCsrfToken('')
  if (session?.sign_out_url) window.location.assign(session.sign_out_url)
}

/** Asks again what the session still has to do. */
export async function renewSession(): Promise<Session> {
  const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (!session) throw new CallError(401, [])
  return session
}

/** Whether the user may do something, such as `modify entities`. */
export function useMay(): (permission: string) => boolean {
  const { data } = useQuery(sessionQuery)
  return (permission) => data?.permissions.includes(permission) ?? false
}

/** What is known belongs to whoever was here before: they find it as they left it, and nobody else finds any of it. */
async function enter({ user }: Session): Promise<Session> {
  const others = { predicate: ({ queryKey }: Query) => queryKey[0] !== 'session' }
  const isBack = queries.getQueryData(sessionQuery.queryKey)?.user === user
  if (!isBack) queries.removeQueries(others)
  const session = await renewSession()
  if (isBack) void queries.invalidateQueries(others)
  return session
}

function begun({ data }: { readonly data: Session }): Session {
  setCsrfToken(data.csrf_token ?? '')
  return data
}
