import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { checkSettings } from './check-settings.ts';
import { findTool, output, ROOT, runTool } from './tools.ts';

/** Where kubernetes-types has the type of each kind. */
const MODULES: Readonly<Record<string, string>> = {
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
};
const OVERLAYS = ['single', 'scaled'];

interface PodTemplate {
  readonly metadata: { readonly labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: tsc checks the shape, this test looks into it freely
  readonly spec: any;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tsc checks the shape, this test looks into it freely
  readonly spec: any;
}

const kustomize = findTool('kustomize', 'kustomize');
const folder = makeTemporaryFolder();
afterAll(folder.remove);

function build(overlay: string): Manifest[] {
  const text = output(kustomize ?? '', ['build', join(ROOT, 'deploy/kubernetes', overlay)]);
  return parseAllDocuments(text).map((document) => document.toJS());
}

const isWorkload = ({ kind }: Manifest) => kind === 'StatefulSet' || kind === 'Job';
const podsOf = (manifests: readonly Manifest[]): PodTemplate[] =>
  manifests.filter(isWorkload).map(({ spec }) => spec.template);
const namesOf = (manifests: readonly Manifest[], wanted: string) =>
  manifests.filter(({ kind }) => kind === wanted).map(({ metadata }) => metadata.name);

/** What tsc says about the manifests, as values of the API's types: unknown fields and kinds, wrong and missing values. */
function typeProblems(manifests: readonly Manifest[], name: string): string {
  const place = join(folder.path, name);
  mkdirSync(place);
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const type = `import('kubernetes-types/${MODULES[apiVersion]}').${kind}`;
    return `export const m${index}: ${type} = ${JSON.stringify(manifest, null, 2)};`;
  });
  writeFileSync(join(place, 'manifests.ts'), lines.join('\n'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
  return runTool(process.execPath, [tsc, ...options, join(place, 'manifests.ts')]).stdout;
}

describe.runIf(kustomize).each(OVERLAYS)('deploy/kubernetes/%s', (overlay) => {
  it('has only fields that Kubernetes knows', () => {
    expect(typeProblems(build(overlay), overlay)).toBe('');
  });

  it('runs every container without rights, on a read-only root, within limits', () => {
    const pods = podsOf(build(overlay));
    expect(pods.length).toBeGreaterThan(0);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const container of spec.containers)
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: {
            requests: { cpu: expect.any(String) },
            limits: { memory: expect.any(String) },
          },
        });
    }
  });

  it('has the secrets by reference, and the version of this repository', () => {
    const manifests = build(overlay);
    expect(namesOf(manifests, 'Secret')).toEqual([]);
    const server = readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8');
    for (const { spec } of podsOf(manifests)) {
      expect(spec.volumes).toContainEqual({
        name: 'secrets',
        secret: { secretName: 'unwrite', defaultMode: 0o440 },
      });
      expect(spec.containers[0].image.split(':')[1]).toBe(JSON.parse(server).version);
    }
  });

  it('selects by labels that pods have', () => {
    const manifests = build(overlay);
    const labels = podsOf(manifests).map(({ metadata }) => metadata.labels);
    const selectors = manifests.flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Service') return [{ name: metadata.name, wanted: spec.selector }];
      const { matchLabels } = spec?.podSelector ?? spec?.selector ?? {};
      return matchLabels === undefined ? [] : [{ name: metadata.name, wanted: matchLabels }];
    });
    expect(selectors.length).toBeGreaterThan(2);
    for (const { name, wanted } of selectors)
      expect([name, labels]).toEqual([
        name,
        expect.arrayContaining([expect.objectContaining(wanted)]),
      ]);
  });

  it('asks the server whether it is alive and ready, on ports that it has', () => {
    for (const { spec } of build(overlay).filter(({ kind }) => kind === 'StatefulSet')) {
      const [container] = spec.template.spec.containers;
      const ports = container.ports.map(({ name }: { name: string }) => name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(ports).toContain(container[probe].httpGet.port);
      expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    }
  });

  it('gives settings that Unwrite accepts', async () => {
    const manifests = build(overlay);
    const [config] = manifests.filter(({ kind }) => kind === 'ConfigMap');
    for (const [index, { spec }] of podsOf(manifests).entries()) {
      const [{ env }] = spec.containers;
      const given = Object.fromEntries(
        env.map(({ name, value }: { name: string; value: string }) => [name, value]),
      );
      const place = join(folder.path, `settings-${overlay}-${index}`);
      const said = await checkSettings(place, given, config?.data?.['unwrite.config.yaml'] ?? '');
      expect(said).toMatch(/^The settings are valid [^\n]*\n$/);
      expect(spec.volumes).toContainEqual({
        name: 'config',
        configMap: { name: config?.metadata.name },
      });
    }
  });
});

describe.runIf(kustomize)('deploy/kubernetes/scaled', () => {
  it('has two API nodes and two workers, each with a budget, and a job that migrates', () => {
    const manifests = build('scaled');
    const nodes = manifests.filter(({ kind }) => kind === 'StatefulSet');
    const roleOf = ({ spec }: Manifest) =>
      spec.template.spec.containers[0].env.find(
        ({ name }: { name: string }) => name === 'UNWRITE_ROLE',
      ).value;
    expect(nodes.map((node) => [node.metadata.name, roleOf(node), node.spec.replicas])).toEqual([
      ['unwrite-api', 'api', 2],
      ['unwrite-worker', 'worker', 2],
    ]);
    expect(namesOf(manifests, 'PodDisruptionBudget')).toEqual(['unwrite-api', 'unwrite-worker']);
    expect(namesOf(manifests, 'Job')).toEqual(['unwrite-migrate']);
  });

  it('lets nothing but metrics reach a worker', () => {
    const policies = build('scaled').filter(({ kind }) => kind === 'NetworkPolicy');
    const ofWorkers = policies.filter(
      ({ spec }) =>
        (spec.podSelector.matchLabels['app.kubernetes.io/component'] ?? 'worker') === 'worker',
    );
    const ports = ofWorkers.flatMap(({ spec }) =>
      spec.ingress.flatMap((rule: { ports: { port: string }[] }) =>
        rule.ports.map(({ port }) => port),
      ),
    );
    expect(ports).toEqual(['management']);
  });
});

it('the check of types finds a field that there is not', () => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', namespace: 'b' },
    spec: { selektor: {} },
  };
  expect(typeProblems([manifest], 'wrong')).toMatch(/selektor.* does not exist/);
});
