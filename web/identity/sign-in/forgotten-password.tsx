import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { call } from '../../api/call.ts'
import { Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'

/** Requests a password reset link by mail; the response does not reveal whether the account exists. */
export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const form = useForm({ username: '' }, (data) => call('POST', 'session/forgot-password', { data }))
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      Back to sign-in
    </Anchor>
  )
  if (form.mutation.isSuccess)
    return (
      <Stack>
        <Text role="status">If the account exists, a link has been sent to its email address. Check your inbox.</Text>
        {back}
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Text size="sm">We will send you a link to set a new password.</Text>
        <Faults texts={form.faults.others} />
        {form.mutation.isError && <Text size="sm">Ask your administrator for a link instead.</Text>}
        <TextInput label="Username or email address" autoFocus required {...form.field('username')} />
        <Button type="submit" loading={form.isSending}>
          Send link
        </Button>
        {back}
      </Stack>
    </form>
  )
}
