import { testWorlds } from './suite.ts'

testWorlds(2)
