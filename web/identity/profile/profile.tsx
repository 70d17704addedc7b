import { Container, SegmentedControl, Skeleton, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { OwnAiUsage } from '../../ai/own-usage.tsx'
import { selfQuery } from '../../api/self.ts'
import { Card } from '../../ui/card.tsx'
import { type Clock, setClock, useClock, useLocalZone } from '../../ui/clock.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { Identities } from './identities.tsx'
import { MailNotifications } from './mail-notifications.tsx'
import { OwnDataForm } from './own-data-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Tokens } from './tokens.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The account settings of the signed-in user. */
export function Profile() {
  const { data: self, error } = useQuery(selfQuery)
  const name = self ? `${self.firstname} ${self.lastname}`.trim() || self.username : 'Profile'
  const description = self && [self.username, self.email].filter((text) => text).join(' · ')
  return (
    <Container size="md" px={0}>
      <PageHead title={name} description={description} />
      <ErrorFaults error={error} />
      <Stack>
        <Tokens />
        <TwoFactor />
        <Card title="Password" description="Changing your password ends all your other sessions.">
          <PasswordForm onDone={() => showToast('Password changed')} />
        </Card>
        <Identities />
        <Card title="Personal details" description="Only an administrator can change your username and email address.">
          {self ? <OwnDataForm self={self} /> : <Skeleton h={160} />}
        </Card>
        <Appearance />
        <Card title="Email notifications">
          <MailNotifications />
        </Card>
        <OwnAiUsage />
      </Stack>
    </Container>
  )
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const clock = useClock()
  const zone = useLocalZone()
  return (
    <Card title="Appearance" description="Applies to this browser.">
      <Text size="sm" fw={500} id="theme">
        Theme
      </Text>
      <SegmentedControl
        aria-labelledby="theme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
      />
      <Text size="sm" fw={500} id="clock">
        Times
      </Text>
      <SegmentedControl
        aria-labelledby="clock"
        value={clock}
        onChange={(value) => setClock(value as Clock)}
        data={[
          { value: 'utc', label: 'UTC' },
          { value: 'own', label: zone },
        ]}
      />
    </Card>
  )
}
