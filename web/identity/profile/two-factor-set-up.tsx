import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CopyText } from '../../ui/copy-text.tsx'
import { ErrorFaults, Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'
import { confirmTwoFactor, startTwoFactor } from './account.ts'
import { QrCode } from './qr-code.tsx'

/** Sets up two-factor authentication: shows the secret, verifies the first code, then shows the recovery codes once. */
export function TwoFactorSetUp({ onDone }: { readonly onDone: () => void }) {
  const started = useMutation({ mutationFn: startTwoFactor })
  const form = useForm({ code: '' }, ({ code }) => confirmTwoFactor(code))
  const codes = form.mutation.data?.recovery_codes
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (!started.data)
    return (
      <Stack>
        <ErrorFaults error={started.error} />
        <Button onClick={() => started.mutate()} loading={started.isPending}>
          Start setup
        </Button>
      </Stack>
    )
  const { uri, secret } = started.data
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Text>Scan this QR code with an authenticator app, or enter the secret in the app.</Text>
        <Group justify="center">
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Group>
        <CopyText label="Secret" text={secret} />
        <Faults texts={form.faults.others} />
        <TextInput label="Code from the app" autoComplete="one-time-code" required {...form.field('code')} />
        <Button type="submit" loading={form.isSending}>
          Verify code
        </Button>
      </Stack>
    </form>
  )
}

/** Recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  return (
    <Stack>
      <Text>
        Store these recovery codes in a safe place. Each code lets you sign in once without your phone. They will not be
        shown again.
      </Text>
      <CopyText label="Recovery codes" text={codes.join('\n')} />
      <Button onClick={onDone}>I have stored the codes</Button>
    </Stack>
  )
}
