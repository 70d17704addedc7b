import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUILT_IN_ROLES, PERMISSIONS, SYSTEM_ADMIN } from './permissions.ts'

test('all permissions are unique and fit one page of 100', () => {
  assert.ok(PERMISSIONS.length < 100)
  assert.equal(new Set(PERMISSIONS).size, PERMISSIONS.length)
})

test('every permission is a verb and an object', () => {
  assert.deepEqual(
    PERMISSIONS.filter((name) => !/^(read|modify|install|lock\/unlock) [a-z-]+$/.test(name)),
    [],
  )
})

test('built-in roles hold existing permissions, and only administrators hold all of them', () => {
  for (const { permissions } of BUILT_IN_ROLES) {
    assert.deepEqual(
      permissions.filter((name) => !PERMISSIONS.includes(name)),
      [],
    )
  }
  const whole = BUILT_IN_ROLES.filter(({ permissions }) => permissions.length === PERMISSIONS.length)
  assert.deepEqual(
    whole.map(({ name }) => name),
    [SYSTEM_ADMIN],
  )
})

test('a team lead has all permissions of an analyst', () => {
  const [analyst, lead] = BUILT_IN_ROLES
  assert.deepEqual(
    analyst?.permissions.filter((name) => !lead?.permissions.includes(name)),
    [],
  )
})

test('an analyst may use language models', () => {
  const [analyst] = BUILT_IN_ROLES
  assert.ok(analyst?.permissions.includes('read configurations'))
  assert.ok(!analyst?.permissions.includes('modify configurations'))
})
