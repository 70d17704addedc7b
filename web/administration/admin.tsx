import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../api/session.ts'
import { useApi, useMayDo } from '../generic/use-api.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { sectionsOf } from './sections.ts'
import { SystemStatus } from './system-status.tsx'

/** The administration overview: collections by section, and the system status. */
export function Admin() {
  const { collections, error, isPending } = useApi()
  const may = useMay()
  const { sections, others } = sectionsOf(collections, useMayDo())
  const mayConfigure = may('read configurations')
  return (
    <>
      <PageHead
        title="Administration"
        description="Users and permissions, reference data, automation and the state of the installation."
      />
      <ErrorFaults error={error} />
      {mayConfigure && <SystemStatus />}
      {isPending && <Waiting />}
      {!isPending && sections.length === 0 && !mayConfigure && (
        <EmptyState title="No administration access">
          Ask an administrator for a role with administration permissions.
        </EmptyState>
      )}
      <Stack gap="lg">
        {sections.map(({ title, collections: models }) => (
          <section key={title} aria-label={title}>
            <Title order={2} size="h5" mb="xs">
              {title}
            </Title>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
              {title === 'Users and permissions' && mayConfigure && (
                <CollectionCard
                  to="/admin/configuration"
                  label="Configuration"
                  description="Passwords, sessions, mail, keys and all other installation-wide settings."
                />
              )}
              {title === 'Users and permissions' && mayConfigure && (
                <CollectionCard
                  to="/admin/language-models"
                  label="Language models"
                  description="Providers, features, what may be sent, budgets and usage."
                />
              )}
              {models.map(({ slug, label, description }) => (
                <CollectionCard key={slug} to={`/admin/${slug}`} label={label} description={description} />
              ))}
            </SimpleGrid>
          </section>
        ))}
        {others.length > 0 && (
          <section aria-label="Other collections">
            <Title order={2} size="h5" mb="xs">
              Other collections
            </Title>
            <Text size="sm" c="dimmed" mb="xs">
              Most of these have dedicated pages. Here you see the objects as the API returns them.
            </Text>
            <Group gap="md">
              {others.map(({ slug, label }) => (
                <Anchor key={slug} component={Link} to={`/admin/${slug}`} size="sm">
                  {label}
                </Anchor>
              ))}
            </Group>
          </section>
        )}
      </Stack>
    </>
  )
}

const Waiting = () => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
    {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
      <Skeleton key={key} height={84} />
    ))}
  </SimpleGrid>
)

interface CollectionCardProps {
  readonly to: string
  readonly label: string
  readonly description: string
}

const CollectionCard = ({ to, label, description }: CollectionCardProps) => (
  <Card withBorder padding="sm">
    <Anchor component={Link} to={to} fw={600}>
      {label}
    </Anchor>
    <Text size="sm" c="dimmed" lineClamp={2} mt={2}>
      {description}
    </Text>
  </Card>
)
