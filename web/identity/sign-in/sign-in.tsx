import { Alert, Anchor, Button, Divider, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CODE_NEEDED } from '../../../server/domain/second-factor.ts'
import { CallError } from '../../api/call.ts'
import { methodsQuery, type Session, type SignInMethods, signIn, signInByProxy } from '../../api/session.ts'
import { ErrorFaults, Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ForgottenPassword } from './forgotten-password.tsx'
import { providerFault, startUrl } from './provider-faults.ts'
import { SignInFrame } from './sign-in-frame.tsx'

interface SignInProps {
  readonly onSignedIn: (session: Session) => void
  /** Whether the sign-in covers a page whose session has expired. */
  readonly isBack?: boolean
}

/** The sign-in page with all methods that the server offers. */
export function SignIn({ onSignedIn, isBack = false }: SignInProps) {
  const methods = useQuery(methodsQuery)
  const [isForgotten, setIsForgotten] = useState(false)
  const fault = providerFault(window.location.search)
  return (
    <SignInFrame title={isBack ? 'Your session has expired' : isForgotten ? 'Reset password' : 'Sign in'}>
      {isBack && <Text size="sm">Sign in again to continue where you left off. Your unsaved input is kept.</Text>}
      {fault && <Alert color="red">{fault}</Alert>}
      {methods.isPending && <Skeleton h={180} role="status" aria-label="Loading" />}
      <ErrorFaults error={methods.error} />
      {methods.data && isForgotten && <ForgottenPassword onBack={() => setIsForgotten(false)} />}
      {methods.data && !isForgotten && (
        <SignInOptions methods={methods.data} onSignedIn={onSignedIn} onForgotten={() => setIsForgotten(true)} />
      )}
    </SignInFrame>
  )
}

interface SignInOptionsProps extends Done {
  readonly methods: SignInMethods
  readonly onForgotten: () => void
}

function SignInOptions({
  methods: { password, proxy, identity_providers },
  onSignedIn,
  onForgotten,
}: SignInOptionsProps) {
  return (
    <Stack>
      {password && <PasswordForm onSignedIn={onSignedIn} onForgotten={onForgotten} />}
      {password && (proxy || identity_providers.length > 0) && <Divider label="or" />}
      {identity_providers.map(({ name, start_url }) => (
        <Button key={start_url} component="a" href={startUrl(start_url, window.location)} variant="default">
          Sign in with {name}
        </Button>
      ))}
      {proxy && <ProxyForm onSignedIn={onSignedIn} />}
    </Stack>
  )
}

interface Done {
  readonly onSignedIn: (session: Session) => void
}

function PasswordForm({ onSignedIn, onForgotten }: Done & Pick<SignInOptionsProps, 'onForgotten'>) {
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm(
    { username: '', password: '', code: '' },
    ({ code, ...proof }) => signIn({ ...proof, ...(code && { code: code.trim() }) }).catch(askForCode),
    (session) => session && onSignedIn(session),
  )

  /** Asks for a code only after the password was accepted, so that strangers do not learn whether one is needed. */
  function askForCode(error: unknown): undefined {
    if (!(error instanceof CallError) || !error.faults.some(({ title }) => title === CODE_NEEDED)) throw error
    setNeedsCode(true)
    return undefined
  }

  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <TextInput
          label="Username"
          autoComplete="username"
          autoFocus
          data-autofocus
          required
          {...form.field('username')}
        />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.field('password')} />
        {needsCode && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            autoFocus
            required
            {...form.field('code')}
          />
        )}
        <Button type="submit" loading={form.isSending}>
          Sign in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  )
}

function ProxyForm({ onSignedIn }: Done) {
  const form = useForm({}, signInByProxy, onSignedIn)
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="xs">
        <Faults texts={form.faults.others} />
        <Button type="submit" variant="default" loading={form.isSending}>
          Sign in with your network account
        </Button>
      </Stack>
    </form>
  )
}
