import type { ShippedPackage } from "./shipped_packages.ts";

/** License of the embedded runtime. */
const RUNTIME_LICENSE = `MIT License

Copyright the Deno authors

Permission is hereby granted, free of charge, to any person obtaining a copy of
this software and associated documentation files (the "Software"), to deal in
the Software without restriction, including without limitation the rights to
use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of
the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

const RULE = "-".repeat(80);

/** Our notice, and the license of everything else an executable holds, as each of them asks for. */
export function notices(
  ours: string,
  runtime: string,
  packages: readonly ShippedPackage[],
): string {
  const others = [
    { title: `deno ${runtime}, the embedded runtime (MIT)`, text: RUNTIME_LICENSE },
    ...packages.map((one) => ({
      title: `${one.name} ${one.version} (${one.license})`,
      text: one.licenseText,
    })),
  ];
  const sections = others.map(({ title, text }) => `${RULE}\n${title}\n\n${text.trim()}\n`);
  return [
    ours.trim() + "\n",
    "This executable holds works of others, under their own licenses:\n",
    ...sections,
  ].join("\n");
}
