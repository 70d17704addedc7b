import { NavLink, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useMay } from '../api/session.ts'
import { Icon } from '../ui/icon.tsx'
import { isOpenTo, PAGES, pageAt } from './pages.ts'

/** Links to all pages that the user has permission for. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const may = useMay()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const here = pageAt(path)
  const isHere = (to: string) => to === here
  const groups = PAGES.map(({ title, pages }) => ({ title, allowed: pages.filter((page) => isOpenTo(page, may)) }))
  return (
    <nav aria-label="Pages">
      {groups.every(({ allowed }) => allowed.length === 0) && (
        <Text size="sm" c="dimmed" p="sm">
          You do not have access to any page yet. Ask an administrator for a role.
        </Text>
      )}
      {groups.map(({ title, allowed }) => {
        if (allowed.length === 0) return null
        return (
          <div key={title}>
            <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
              {title}
            </Text>
            {allowed.map(({ to, label, icon }) => (
              <NavLink
                key={to}
                className="page-link"
                component={Link}
                to={to}
                label={label}
                leftSection={icon && <Icon name={icon} size={17} />}
                active={isHere(to)}
                aria-current={isHere(to) ? 'page' : undefined}
                onClick={onNavigate}
              />
            ))}
          </div>
        )
      })}
    </nav>
  )
}
