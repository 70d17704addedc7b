import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'
import { mismatch } from '../profile/password-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Sets a password with a reset link; the token is in the fragment of the address, so that it does not end up in logs. */
export function PasswordReset({ onDone }: { readonly onDone: () => void }) {
  const [token] = useState(() => window.location.hash.slice(1))
  const form = useForm({ password: '', again: '' }, async ({ password, again }) => {
    if (again !== password) throw mismatch()
    await call('POST', 'session/password-reset', { data: { token, password } })
  })
  if (form.mutation.isSuccess)
    return (
      <SignInFrame title="Password set">
        <Text>You can now sign in with your new password.</Text>
        <Button onClick={onDone}>Go to sign-in</Button>
      </SignInFrame>
    )
  return (
    <SignInFrame title="Choose a password">
      <form onSubmit={form.onSubmit}>
        <Stack>
          <Faults texts={form.faults.others} />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            autoFocus
            required
            {...form.field('password')}
          />
          <PasswordInput label="Confirm new password" autoComplete="new-password" required {...form.field('again')} />
          <Button type="submit" loading={form.isSending}>
            Set password
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
