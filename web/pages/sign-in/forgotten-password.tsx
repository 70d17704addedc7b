import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { call } from '../../api/call.ts'
import { Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'

/** Requests a password reset link by mail; the response does not reveal whether the account exists. */
export function ForgottenPassword({ onBack }: { readonly onBack: () => void }) {
  const form = useForm({ username: '' }, (data) => call('POST', 'session/forgot-password', { data }))
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      Back to the sign-in
    </Anchor>
  )
  if (form.mutation.isSuccess)
    return (
      <Stack>
        <Text role="status">If there is such an account, a link is on its way to it. Look into your mail.</Text>
        {back}
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Text size="sm">You get a link by mail with which you choose a new password.</Text>
        <Faults texts={form.faults.others} />
        {form.mutation.isError && <Text size="sm">Ask your administrator for a link instead.</Text>}
        <TextInput label="User name or e-mail address" autoFocus required {...form.field('username')} />
        <Button type="submit" loading={form.isSending}>
          Send the link
        </Button>
        {back}
      </Stack>
    </form>
  )
}
