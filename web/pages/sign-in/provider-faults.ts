/** Messages for failed sign-ins with an identity provider, by API error name. */
const FAULTS: Readonly<Record<string, string>> = {
  cancelled: 'The sign-in was cancelled.',
  provider_unreachable: 'The identity provider cannot be reached. Try again later, or sign in another way.',
  provider_refused: 'The identity provider refused. Ask your administrator.',
  invalid_answer: 'The answer of the identity provider could not be trusted. Ask your administrator.',
  expired: 'It took too long. Try again.',
  not_linked:
    'No account here belongs to you there. Sign in another way and link it in your profile, or ask your administrator.',
  username_taken: 'Somebody else has your user name here. Ask your administrator.',
  account_closed: 'Your account is locked or not active. Ask your administrator.',
  already_linked: 'It belongs to another account here.',
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
