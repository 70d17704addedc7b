/** Messages for failed sign-ins with an identity provider, by API error name. */
const FAULTS: Readonly<Record<string, string>> = {
  cancelled: 'The sign-in was cancelled.',
  provider_unreachable: 'The identity provider cannot be reached. Try again later, or use another sign-in method.',
  provider_refused: 'The identity provider rejected the sign-in. Contact your administrator.',
  invalid_answer: 'The response of the identity provider could not be verified. Contact your administrator.',
  expired: 'The sign-in took too long. Try again.',
  not_linked:
    'No Corvus account is linked to this identity. Sign in another way and link it in your profile, or contact your administrator.',
  username_taken: 'Your username is already taken by another account. Contact your administrator.',
  account_closed: 'Your account is locked or inactive. Contact your administrator.',
  already_linked: 'This identity is already linked to another account.',
}

/** The error of a sign-in with an identity provider, as given by the address. */
export function providerFault(search: string): string | undefined {
  const error = new URLSearchParams(search).get('error')
  if (error === null || !/^[a-z_]{1,40}$/.test(error)) return undefined
  return FAULTS[error]
}

/** The address that starts a sign-in with a provider and returns to the current page. */
export function startUrl(start: string, { pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const url = new URL(start)
  url.searchParams.set('return_to', pathname === '/sign-in' ? '/' : `${pathname}${search}`)
  return url.href
}
