import { Button, PasswordInput, Stack } from '@mantine/core'
import { CallError } from '../../api/call.ts'
import { Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'
import { changePassword } from './account.ts'

const EMPTY = { old_password: '', new_password: '', again: '' }

/** Changes the user's password, which ends all other sessions of the account. */
export function PasswordForm({ onDone }: { readonly onDone: () => void }) {
  const form = useForm(
    EMPTY,
    async ({ again, ...passwords }) => {
      if (again !== passwords.new_password) throw mismatch()
      await changePassword(passwords)
    },
    () => {
      form.reset()
      onDone()
    },
  )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.field('old_password')}
        />
        <PasswordInput label="New password" autoComplete="new-password" required {...form.field('new_password')} />
        <PasswordInput label="Confirm new password" autoComplete="new-password" required {...form.field('again')} />
        <Button type="submit" variant="default" loading={form.isSending} style={{ alignSelf: 'flex-start' }}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}

/** The validation error for two different passwords. */
export const mismatch = () =>
  new CallError(400, [{ status: 400, title: 'Bad Request', detail: 'again: does not match the new password' }])
