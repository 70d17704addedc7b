import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Self } from '../../api/self.ts'

/** An API token in a list; its secret is shown only when it is created. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly created_at: string
}

export const tokensQuery = queryOptions({
  queryKey: ['users', 'self', 'tokens'],
  queryFn: async () => (await call<{ data: Token[] }>('GET', 'users/self/tokens')).data,
})

export const createToken = async (token: { name: string; expires_at: string | null }) =>
  (await call<{ data: Token & { token: string } }>('POST', 'users/self/tokens', { data: token })).data

export const revokeToken = (id: number) => call<undefined>('DELETE', `users/self/tokens/${id}`)

export const changePassword = (data: { old_password: string; new_password: string }) =>
  call<undefined>('POST', 'users/self/password', { data })

export const startTwoFactor = async () =>
  (await call<{ data: { secret: string; uri: string } }>('POST', 'users/self/two-factor')).data

export const confirmTwoFactor = async (code: string) =>
  (await call<{ data: { recovery_codes: string[] } }>('POST', 'users/self/two-factor/confirm', { data: { code } })).data

type Proof = { password: string; code: string }

export const removeTwoFactor = (data: Proof) => call<undefined>('DELETE', 'users/self/two-factor', { data })

export const renewRecoveryCodes = async (data: Proof) =>
  (await call<{ data: { recovery_codes: string[] } }>('POST', 'users/self/two-factor/recovery-codes', { data })).data

/** The fields that users can change in their own account. */
export type OwnData = Pick<Self, 'firstname' | 'lastname' | 'locale' | 'timezone'>

export const changeSelf = async (data: Partial<OwnData>) =>
  (await call<{ data: Self }>('PATCH', 'users/self', { data })).data

/** Mail notification settings. */
export interface NotificationSettings {
  readonly ticket_assigned: boolean
  readonly comment_added: boolean
  readonly task_run_failed: boolean
  readonly feed_stale: boolean
  readonly enricher_suspended: boolean
  readonly detonator_suspended: boolean
  readonly detonation_ended: boolean
  readonly entity_discovered: boolean
  readonly playbook_failed: boolean
  readonly playbook_paused: boolean
  readonly playbook_notified: boolean
}

export const notificationSettingsQuery = queryOptions({
  queryKey: ['users', 'self', 'notifications'],
  queryFn: async () => (await call<{ data: NotificationSettings }>('GET', 'users/self/notifications')).data,
  staleTime: 60_000,
})

/** An account at an identity provider that is linked for signing in. */
export interface Identity {
  readonly id: number
  readonly issuer: string
  readonly subject: string
  readonly created_at: string
}

export const identitiesQuery = queryOptions({
  queryKey: ['users', 'self', 'identities'],
  queryFn: async () => (await call<{ data: Identity[] }>('GET', 'users/self/identities')).data,
})

/** Starts linking an account at a provider; returns the address to redirect the browser to. */
export const linkIdentity = async (identity_provider: string) =>
  (
    await call<{ data: { url: string } }>('POST', 'users/self/identities', {
      data: { identity_provider, return_to: '/profile' },
    })
  ).data

export const unlinkIdentity = (id: number) => call<undefined>('DELETE', `users/self/identities/${id}`)
