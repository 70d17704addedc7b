import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { type Limit, renewSession, type Session, signOut } from '../../api/session.ts'
import { Faults } from '../../ui/faults.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { PasswordForm } from '../profile/password-form.tsx'
import { TwoFactorSetUp } from '../profile/two-factor-set-up.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

const STEPS: Readonly<
  Record<Limit, { readonly title: string; readonly text: string; readonly form: (next: () => void) => ReactNode }>
> = {
  must_give_code: {
    title: 'Two-factor authentication',
    text: 'Enter the code from your authenticator app to continue.',
    form: (next) => <CodeForm onDone={next} />,
  },
  must_change_password: {
    title: 'Choose a password',
    text: 'Your password was set by an administrator or has expired. Choose a new one that only you know.',
    form: (next) => <PasswordForm onDone={next} />,
  },
  must_set_up_two_factor: {
    title: 'Set up two-factor authentication',
    text: 'This installation requires two-factor authentication: an app on your phone shows a code for each sign-in.',
    form: (next) => <TwoFactorSetUp onDone={next} />,
  },
}

/** The required steps after sign-in, one at a time. */
export function FirstSteps({
  limit,
  onDone,
}: {
  readonly limit: Limit
  readonly onDone: (session: Session | null) => void
}) {
  const { title, text, form } = STEPS[limit]
  const next = () => void renewSession().then(onDone, showErrorToast)
  return (
    <SignInFrame title={title}>
      <Text size="sm">{text}</Text>
      {form(next)}
      <Button variant="subtle" onClick={() => void signOut().then(() => onDone(null), showErrorToast)}>
        Sign out
      </Button>
    </SignInFrame>
  )
}

function CodeForm({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({ code: '' }, (data) => call('POST', 'session/code', { data }), onDone)
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <TextInput label="Code" autoComplete="one-time-code" autoFocus required {...form.field('code')} />
        <Button type="submit" loading={form.isSending}>
          Continue
        </Button>
      </Stack>
    </form>
  )
}
