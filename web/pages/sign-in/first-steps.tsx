import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { type Limit, renewSession, type Session, signOut } from '../../api/session.ts'
import { Faults } from '../../ui/faults.tsx'
import { sayFault } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { PasswordForm } from '../profile/password-form.tsx'
import { TwoFactorSetUp } from '../profile/two-factor-set-up.tsx'
import { DoorFrame } from './door-frame.tsx'

const STEPS: Readonly<
  Record<Limit, { readonly title: string; readonly text: string; readonly form: (next: () => void) => ReactNode }>
> = {
  must_give_code: {
    title: 'Second factor',
    text: 'Your account has a second factor. Give its code to go on.',
    form: (next) => <CodeForm onDone={next} />,
  },
  must_change_password: {
    title: 'Choose a password',
    text: 'The password that you signed in with was set by somebody else, or is too old. Choose one that only you know.',
    form: (next) => <PasswordForm onDone={next} />,
  },
  must_set_up_two_factor: {
    title: 'Set up a second factor',
    text: 'This installation asks for a second factor: an app on your phone that shows a code for each sign-in.',
    form: (next) => <TwoFactorSetUp onDone={next} />,
  },
}

/** The required steps after sign-in, one after the other. */
export function FirstSteps({
  limit,
  onDone,
}: {
  readonly limit: Limit
  readonly onDone: (session: Session | null) => void
}) {
  const { title, text, form } = STEPS[limit]
  const next = () => void renewSession().then(onDone, sayFault)
  return (
    <DoorFrame title={title}>
      <Text size="sm">{text}</Text>
      {form(next)}
      <Button variant="subtle" onClick={() => void signOut().then(() => onDone(null), sayFault)}>
        Sign out
      </Button>
    </DoorFrame>
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
          Go on
        </Button>
      </Stack>
    </form>
  )
}
