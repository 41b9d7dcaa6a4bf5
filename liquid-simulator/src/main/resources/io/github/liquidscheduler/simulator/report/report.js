"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { nodes, jobs, runs } = data;
  const jobCount = jobs.id.length;
  const BINS = 480;
  const ROW = 18;
  const NEVER = Infinity;
  const REASONS = ["No GPUs free", "Free, but not together", "Others first", "Queue limit", "Pre-empted", "Not yet explained"];
  // Told apart by everybody, also with any kind of colour blindness: ReportColoursTest.
  const PALETTES = {
    light: {
      policies: ["#68727d", "#1d6bfd", "#f06a09", "#0ca761", "#a600a3", "#6d4c00", "#850333"],
      queues: ["#1d6bfd", "#f06a09", "#0ca761", "#a600a3", "#6d4c00", "#850333", "#68727d"],
      reasons: ["#ba8825", "#8f144d", "#7d8792", "#5041c7", "#d67364", "#113d04"],
      running: "#3d7fc9",
    },
    dark: {
      policies: ["#9aa5b1", "#2982f3", "#ff8800", "#03e9a1", "#d30364", "#e3f176", "#7d651c"],
      queues: ["#2982f3", "#ff8800", "#03e9a1", "#d30364", "#e3f176", "#7d651c", "#9aa5b1"],
      reasons: ["#ce900e", "#fda2df", "#7f8a96", "#6a5ce5", "#c85f43", "#e4d6a4"],
      running: "#4a8fdc",
    },
  };
  const DASHES = [[5, 4], [], [8, 3], [2, 3], [8, 3, 2, 3], [12, 4], [1, 3]];

  const $ = (id) => document.getElementById(id);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";
  const palette = () => (isDark() ? PALETTES.dark : PALETTES.light);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** Makes an element with text and children; text never becomes markup. */
  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  /** Writes a duration as the terminal does. */
  function time(value) {
    const seconds = Math.round(value);
    const two = (n) => String(n).padStart(2, "0");
    if (seconds < 60) return `${seconds}s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
    const hours = Math.round(minutes / 60);
    return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
  }
  function moment(value) {
    const minutes = Math.floor(value / 60);
    const clock = `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    if (end < 3600) return `${clock}:${String(Math.floor(value % 60)).padStart(2, "0")}`;
    return minutes < 1440 ? clock : `${Math.floor(minutes / 1440)}d ${clock}`;
  }
  function tick(value) {
    const hours = value / 3600;
    if (value < 60) return `${Math.round(value)}s`;
    if (hours < 1) return value % 60 ? time(value) : `${value / 60}m`;
    const minutes = Math.round(value / 60);
    if (hours < 24) return minutes % 60 ? `${Math.floor(hours)}h ${String(minutes % 60).padStart(2, "0")}m` : `${minutes / 60}h`;
    const rest = Math.round(hours % 24);
    return rest ? `${Math.floor(hours / 24)}d ${rest}h` : `${Math.floor(hours / 24)}d`;
  }
  /** Writes a mean number of jobs or GPUs: whole, but for few. */
  const mean = (value) => (value < 9.95 ? String(Number(value.toFixed(1))) : String(Math.round(value)));
  const percent = (fraction) => `${(100 * fraction).toFixed(0)}\u2009%`;
  const gpusOf = (n) => `${n} GPU${n === 1 ? "" : "s"}`;

  // The cluster: a node's GPUs are numbered consecutively.
  const firstGpu = [];
  let gpuCount = 0;
  for (const node of nodes) {
    firstGpu.push(gpuCount);
    gpuCount += node.gpus;
  }
  const nodeOfGpu = [];
  nodes.forEach((node, n) => { for (let g = 0; g < node.gpus; g++) nodeOfGpu.push(n); });
  const domains = [...new Set(nodes.map((node) => node.domain))];

  // Queues by GPU time asked; all but the six largest are "other".
  const queueNames = [...new Set(jobs.queue)].sort(
    (a, b) => jobs.queue.filter((q) => q === b).length - jobs.queue.filter((q) => q === a).length);
  const queueIndex = new Map(queueNames.map((name, i) => [name, Math.min(i, 6)]));
  const hasQueues = queueNames.length > 1;

  const end = Math.max(1, ...runs.map((run) => run.end));
  const dt = end / BINS;

  // Each run: absolute allocations, the stretches of each job, and curves over time.
  for (const run of runs) {
    let start = 0;
    run.held = run.allocs.map(([job, delta, length, ...ranges]) => {
      start += delta;
      const gpus = [];
      for (let i = 0; i < ranges.length; i += 2) for (let g = 0; g < ranges[i + 1]; g++) gpus.push(ranges[i] + g);
      return { job, start, end: start + length, gpus };
    });
    findShared(run.held);
    const byJob = jobs.id.map(() => []);
    run.held.forEach((held) => byJob[held.job].push(held));
    run.segments = byJob.map((held, job) => segments(run, job, held));
    run.wait = run.segments.map((list) => list.reduce((sum, s) => sum + (s.kind < 9 ? s.end - s.start : 0), 0));
    run.jct = run.ends.map((at, job) => (at >= 0 ? at - jobs.submit[job] : -1));
    run.series = curves(run);
  }

  /**
   * Tells each allocation which half of the lane it has on GPUs that others had before it, and from
   * when on which of its GPUs count as held by it, so that each counts once however many jobs it has.
   */
  function findShared(allocations) {
    const upper = new Float64Array(gpuCount);
    const lower = new Float64Array(gpuCount);
    for (const held of allocations) {
      const counted = new Map();
      held.half = new Map();
      for (const gpu of held.gpus) {
        const from = Math.max(held.start, upper[gpu], lower[gpu]);
        const isLower = upper[gpu] > held.start;
        if (from > held.start) held.half.set(gpu, isLower ? 5 : 0);
        (isLower ? lower : upper)[gpu] = held.end;
        if (from >= held.end) continue;
        if (!counted.has(from)) counted.set(from, []);
        counted.get(from).push(gpu);
      }
      held.counted = [...counted];
    }
  }

  function segments(run, job, held) {
    if (run.ends[job] === -2 || jobs.submit[job] > run.end) return [];
    const list = [];
    const samples = run.reasons[job];
    let at = jobs.submit[job];
    let wasStopped = false;
    const wait = (until) => {
      while (at < until) {
        let next = until;
        let kind = run.rounds.length ? 2 : wasStopped ? 4 : 5;
        for (let i = 0; i < samples.length; i += 2) {
          if (samples[i] <= at) { if (!wasStopped) kind = samples[i + 1]; }
          else { next = Math.min(next, samples[i]); break; }
        }
        list.push({ start: at, end: next, kind });
        at = next;
      }
    };
    for (const run of held) {
      wait(run.start);
      list.push({ start: run.start, end: run.end, kind: 9 });
      at = run.end;
      wasStopped = true;
    }
    wait(run.ends[job] >= 0 ? run.ends[job] : run.end);
    return list;
  }

  /** Adds the time between two moments, times a weight, to the bins it falls into. */
  function spread(bins, from, to, weight) {
    for (let bin = Math.max(0, Math.floor(from / dt)); bin < BINS && bin * dt < to; bin++) {
      bins[bin] += (weight * (Math.min(to, (bin + 1) * dt) - Math.max(from, bin * dt))) / dt;
    }
  }

  function curves(run) {
    const zeros = () => new Array(BINS).fill(0);
    const series = { waiting: zeros(), held: zeros(), frag: zeros(), queues: queueNames.slice(0, 7).map(zeros) };
    const largest = zeros();
    const middle = (bin) => (bin + 0.5) * dt;
    run.segments.forEach((list, job) => {
      for (const s of list) {
        if (s.kind === 9) continue;
        spread(series.waiting, s.start, s.end, 1);
        for (let bin = Math.max(0, Math.ceil(s.start / dt - 0.5)); bin < BINS && middle(bin) < s.end; bin++) {
          largest[bin] = Math.max(largest[bin], jobs.gpus[job]);
        }
      }
    });
    const used = Array.from({ length: BINS }, () => null);
    for (const held of run.held) {
      if (hasQueues) spread(series.queues[queueIndex.get(jobs.queue[held.job])], held.start, held.end, held.gpus.length);
      for (const [from, gpus] of held.counted) {
        spread(series.held, from, held.end, gpus.length / gpuCount);
        for (let bin = Math.max(0, Math.ceil(from / dt - 0.5)); bin < BINS && middle(bin) < held.end; bin++) {
          used[bin] ??= new Int32Array(nodes.length);
          for (const gpu of gpus) used[bin][nodeOfGpu[gpu]]++;
        }
      }
    }
    for (let bin = 0; bin < BINS; bin++) {
      let free = 0;
      let scattered = 0;
      nodes.forEach((node, n) => {
        const here = Math.max(0, node.gpus - (used[bin] ? used[bin][n] : 0));
        free += here;
        if (here < Math.min(largest[bin], node.gpus)) scattered += here;
      });
      series.frag[bin] = largest[bin] && free ? scattered / free : 0;
    }
    return series;
  }

  // By linear interpolation, as the figures of the policies are.
  const quantile = (sorted, share) => {
    const at = share * (sorted.length - 1);
    const below = Math.floor(at);
    const above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  };
  const finished = (run, what) => run[what].filter((_, job) => run.ends[job] >= 0).sort((a, b) => a - b);

  // What is shown.
  const state = { run: data.chosen, other: data.chosen === 0 ? -1 : 0, bin: 0, job: -1, node: 0, what: "jct", shown: 4, rows: 25 };
  let listed = [];
  const charts = {};
  const chosen = () => runs[state.run];

  // Charts.
  Chart.defaults.animation = false;
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  Chart.defaults.maintainAspectRatio = false;

  const momentLine = {
    id: "moment",
    afterDatasetsDraw(chart) {
      const x = chart.scales.x.getPixelForValue((state.bin + 0.5) * dt);
      const { ctx, chartArea } = chart;
      ctx.save();
      ctx.strokeStyle = css("--accent");
      ctx.lineWidth = 2;
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };

  const hourStep = () => {
    const steps = [1, 2, 5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2592000, 7776000];
    return steps.find((step) => end / step <= (innerWidth < 700 ? 5 : 10)) ?? end / 8;
  };

  function timeSteps() {
    const step = hourStep();
    return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
  }

  function axes(y, x) {
    const grid = { color: css("--line") };
    const ticks = { color: css("--muted"), maxRotation: 0 };
    return { x: { ...x, grid, ticks: { ...ticks, ...x.ticks } }, y: { ...y, beginAtZero: true, grid, ticks: { ...ticks, ...y.ticks }, afterFit: (axis) => { axis.width = 52; } } };
  }

  function line(points, colour, options) {
    return { data: points, borderColor: colour, pointRadius: 0, borderWidth: 1.6, ...options };
  }

  function timeChart(id, datasets, y, legend) {
    charts[id]?.destroy();
    charts[id] = new Chart($(id), {
      type: "line",
      data: { datasets },
      plugins: [momentLine],
      options: {
        parsing: false,
        interaction: { mode: "index", intersect: false },
        scales: axes(y, { type: "linear", min: 0, max: end, afterBuildTicks: (axis) => { axis.ticks = timeSteps().map((value) => ({ value })); }, ticks: { autoSkip: false, callback: (v) => (v === 0 ? "0" : tick(v)) } }),
        onClick: (event, _, chart) => setBin(Math.floor(chart.scales.x.getValueForPixel(event.x) / dt)),
        plugins: {
          legend: { display: Boolean(legend), labels: { color: css("--ink"), boxWidth: 16, boxHeight: 3 } },
          tooltip: { callbacks: { title: (items) => moment(items[0].parsed.x), label: (item) => ` ${item.dataset.label}: ${y.show(item.parsed.y)}` } },
        },
      },
    });
  }

  const points = (values) => values.map((value, bin) => ({ x: (bin + 0.5) * dt, y: value }));

  function drawOverTime() {
    const colours = palette().policies;
    const kinds = [
      ["waiting", { ticks: { maxTicksLimit: 4, precision: 0 }, show: (v) => `${mean(v)} jobs` }],
      ["held", { max: 1, ticks: { stepSize: 0.5, callback: percent }, show: percent }],
      ["frag", { max: 1, ticks: { stepSize: 0.5, callback: percent }, show: percent }],
    ];
    for (const [id, y] of kinds) {
      const colour = colours[state.run % 7];
      const sets = [line(points(chosen().series[id]), colour, { label: chosen().policy, stepped: "middle", fill: true, backgroundColor: `${colour}33` })];
      if (state.other >= 0 && state.other !== state.run) {
        sets.push(line(points(runs[state.other].series[id]), colours[state.other % 7], { label: runs[state.other].policy, stepped: "middle", borderDash: [5, 4] }));
      }
      timeChart(id, sets, y, sets.length > 1 && id === "waiting");
    }
    if (hasQueues) {
      const sets = chosen().series.queues.map((values, q) => line(points(values), palette().queues[q], { label: q === 6 ? "other" : queueNames[q] || "no queue", stepped: "middle", borderWidth: 2 }));
      timeChart("queue-use", sets, { ticks: { precision: 0 }, show: (v) => `${mean(v)} GPUs` }, true);
    }
    fillSeriesTable();
  }

  function drawDistribution() {
    const colours = palette().policies;
    const least = end < 600 ? 1 : 10;
    const sets = runs.map((run, r) => {
      const sorted = finished(run, state.what);
      const curve = [];
      for (let p = 0; p <= 100 && sorted.length; p++) curve.push({ x: Math.max(least, quantile(sorted, p / 100)), y: p / 100 });
      return line(curve, colours[r % 7], { label: run.policy, borderWidth: r === state.run ? 3 : 1.6, borderDash: r === state.run ? [] : DASHES[(r + Math.floor(r / 7)) % 7], order: r === state.run ? 0 : 1 });
    });
    const marks = [1, 3, 10, 60, 300, 900, 3600, 14400, 43200, 86400, 259200, 604800, 2592000];
    charts.ecdf?.destroy();
    charts.ecdf = new Chart($("ecdf"), {
      type: "line",
      data: { datasets: sets },
      options: {
        parsing: false,
        interaction: { mode: "nearest", axis: "y", intersect: false },
        scales: axes({ max: 1, ticks: { stepSize: 0.2, callback: percent } }, { type: "logarithmic", min: least, afterBuildTicks: (axis) => { axis.ticks = marks.filter((m) => m >= least && m <= axis.max).map((value) => ({ value })); }, ticks: { callback: tick } }),
        plugins: {
          legend: { align: "end", labels: { color: css("--ink"), boxWidth: 20, boxHeight: 2 } },
          tooltip: { callbacks: { title: (items) => `${percent(items[0].parsed.y)} of jobs`, label: (item) => ` ${item.dataset.label}: at most ${time(item.parsed.x)}` } },
        },
      },
    });
    // Many runs do not fit beside each other: the chosen one comes first, then the one it is compared with.
    const columns = [...new Set([state.run, state.other, ...runs.keys()])].filter((r) => r >= 0);
    const table = $("percentiles");
    const cell = (run, r, p) => {
      const sorted = finished(run, state.what);
      return element("td", { className: r === state.run ? "chosen" : "" }, sorted.length ? time(quantile(sorted, p / 100)) : "–");
    };
    table.replaceChildren(
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "of jobs"), ...columns.map((r) => element("th", { scope: "col", className: r === state.run ? "chosen" : "" }, runs[r].policy)))),
      element("tbody", {}, ...[10, 25, 50, 75, 90, 95, 99, 100].map((p) => element("tr", {}, element("th", { scope: "row" }, `${p}\u2009%`), ...columns.map((r) => cell(runs[r], r, p))))));
  }

  function fillSeriesTable() {
    const series = chosen().series;
    const rows = Array.from({ length: 30 }, (_, i) => i * (BINS / 30));
    $("series").replaceChildren(
      element("thead", {}, element("tr", {}, ...["Time", "Jobs waiting", "GPU allocation", "Fragmentation"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((bin) => element("tr", {}, element("th", { scope: "row" }, moment((bin + 0.5) * dt)), element("td", {}, mean(series.waiting[bin])), element("td", {}, percent(series.held[bin])), element("td", {}, percent(series.frag[bin]))))));
  }

  // The cluster map.
  function canvasOf(id, width, height) {
    const canvas = $(id);
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = `12px ${Chart.defaults.font.family}`;
    context.textBaseline = "middle";
    return context;
  }

  const at = () => (state.bin + 0.5) * dt;
  const colourOf = (job) => (hasQueues ? palette().queues[queueIndex.get(jobs.queue[job])] : palette().queues[job % 6]);
  const isShown = (job) => listed.length === jobCount || listedSet.has(job);
  let listedSet = new Set();
  let boxes = [];

  function holders(run, moment) {
    const owner = new Int32Array(gpuCount).fill(-1);
    let running = 0;
    for (const held of run.held) {
      if (held.start > moment) break;
      if (held.end > moment) {
        running++;
        for (const gpu of held.gpus) owner[gpu] = held.job;
      }
    }
    return { owner, running };
  }

  function drawMap() {
    const { owner, running } = holders(chosen(), at());
    const width = Math.max(240, $("cluster").parentElement.clientWidth - 4);
    const perRow = Math.max(1, Math.min(domains.length, Math.floor(width / 200)));
    const boxWidth = Math.floor((width - 16 * (perRow - 1)) / perRow);
    boxes = [];
    const most = Math.max(...domains.map((domain) => nodes.filter((node) => node.domain === domain).length));
    const unit = most <= 8 ? 34 : 20;
    let y = 0;
    let rowHeight = 0;
    const names = [];
    domains.forEach((domain, d) => {
      const column = d % perRow;
      if (column === 0 && d > 0) { y += rowHeight + 16; rowHeight = 0; }
      const mine = nodes.map((_, n) => n).filter((n) => nodes[n].domain === domain);
      const x = column * (boxWidth + 16);
      names.push([domain || "nodes", x, y + 8]);
      mine.forEach((n, i) => boxes.push({ node: n, x, y: y + 20 + i * unit, width: boxWidth, height: unit }));
      rowHeight = Math.max(rowHeight, 20 + mine.length * unit);
    });
    const context = canvasOf("cluster", width, Math.min(12000, y + rowHeight + 4));
    context.fillStyle = css("--ink");
    for (const [name, x, top] of names) { context.font = `600 13px ${Chart.defaults.font.family}`; context.fillText(name, x, top, boxWidth); }
    context.font = `12px ${Chart.defaults.font.family}`;
    for (const box of boxes) {
      const node = nodes[box.node];
      const gutter = Math.min(72, box.width / 3);
      context.fillStyle = css("--muted");
      context.fillText(node.name, box.x + 3, box.y + unit / 2 - 1, gutter - 8);
      const cell = (box.width - gutter - 4) / Math.max(1, node.gpus);
      for (let g = 0; g < node.gpus; g++) {
        const job = owner[firstGpu[box.node] + g];
        const joins = g + 1 < node.gpus && owner[firstGpu[box.node] + g + 1] === job && job >= 0;
        const left = box.x + gutter + g * cell;
        if (job < 0) {
          context.strokeStyle = css("--muted");
          context.lineWidth = 1;
          context.strokeRect(left + 0.5, box.y + 2.5, Math.max(1, cell - 3), unit - 7);
        } else {
          context.globalAlpha = isShown(job) ? 1 : 0.2;
          context.fillStyle = colourOf(job);
          context.fillRect(left, box.y + 2, joins ? cell + 0.5 : Math.max(1, cell - 2), unit - 6);
          if (job === state.job) { context.strokeStyle = css("--ink"); context.lineWidth = 2; context.strokeRect(left + 1, box.y + 3, cell - 3, unit - 8); }
          context.globalAlpha = 1;
        }
      }
      if (box.node === state.node) { context.strokeStyle = css("--accent"); context.lineWidth = 2; context.strokeRect(box.x + 1, box.y, box.width - 2, unit - 2); }
    }
    const used = owner.reduce((sum, job) => sum + (job >= 0), 0);
    const waiting = waitingNow();
    const fact = (value, name) => element("div", {}, element("strong", {}, value), name);
    $("facts").replaceChildren(fact(`${used}/${gpuCount}`, "GPUs in use"), fact(String(running), "jobs running"), fact(String(waiting.length), "waiting"));
    const list = waiting.slice(0, 6).map(({ job, kind, waited }) => {
      const swatch = element("span", { className: "swatch" });
      swatch.style.background = palette().reasons[kind];
      return element("li", {}, jobLink(job), swatch, `${gpusOf(jobs.gpus[job])}, ${REASONS[kind].toLowerCase().replace("gpus", "GPUs")}`, element("span", {}, time(waited)));
    });
    if (waiting.length > 6) list.push(element("li", {}, `and ${waiting.length - 6} more`));
    if (!waiting.length) list.push(element("li", {}, "Nobody waits."));
    $("waiting-now").replaceChildren(...list);
    $("moment").textContent = moment(at());
    $("slider").value = state.bin;
    $("slider").setAttribute("aria-valuetext", `${moment(at())}, ${used} of ${gpuCount} GPUs in use, ${waiting.length} jobs waiting`);
    drawLanes();
  }

  function waitedUntil(segments, moment) {
    return segments.reduce((sum, s) => sum + (s.kind < 9 ? Math.max(0, Math.min(moment, s.end) - s.start) : 0), 0);
  }

  function waitingNow() {
    const list = [];
    chosen().segments.forEach((segments, job) => {
      if (jobs.submit[job] > at()) return;
      const now = segments.find((s) => s.start <= at() && at() < s.end);
      if (now && now.kind !== 9) list.push({ job, kind: now.kind, waited: waitedUntil(segments, at()) });
    });
    return list.sort((a, b) => b.waited - a.waited);
  }

  function jobLink(job) {
    return element("button", { type: "button", className: "link", title: jobs.id[job], onclick: () => select(job, true) }, jobs.id[job]);
  }

  function drawLanes() {
    const node = nodes[state.node];
    if (!node) return;
    const width = Math.max(240, $("lanes").parentElement.clientWidth - 34);
    const lanes = Math.min(64, node.gpus);
    const context = canvasOf("lanes", width, lanes * 12 + 20);
    const left = 56;
    const x = (t) => left + (t / end) * (width - left);
    $("lanes-title").textContent = `Node ${node.name}: its GPUs over time (${node.gpus} × ${node.model ?? "GPU"})`;
    for (let g = 0; g < lanes; g++) {
      context.fillStyle = css("--soft");
      context.fillRect(left, g * 12, width - left, 10);
      context.fillStyle = css("--muted");
      context.fillText(`GPU ${g}`, 0, g * 12 + 6);
    }
    for (const held of chosen().held) {
      for (const gpu of held.gpus) {
        const lane = gpu - firstGpu[state.node];
        if (lane < 0 || lane >= lanes) continue;
        context.fillStyle = colourOf(held.job);
        const top = lane * 12 + (held.half.get(gpu) ?? 0);
        context.fillRect(x(held.start), top, Math.max(0.5, x(held.end) - x(held.start) - 0.5), held.half.has(gpu) ? 5 : 10);
      }
    }
    timeTicks(context, x, lanes * 12 + 10, width);
    context.fillStyle = css("--accent");
    context.fillRect(x(at()) - 1, 0, 2, lanes * 12);
  }

  // Rounds: the tasks of every GPU.
  const ROUND_LINE = 16;
  const ROUND_LABELS = 96;
  function roundX() {
    const width = Math.max(240, $("round-lanes").parentElement.clientWidth) * +$("round-zoom").value;
    return { width, x: (t) => ROUND_LABELS + (t / end) * (width - ROUND_LABELS - 8) };
  }
  function drawRounds() {
    const { rounds } = chosen();
    $("rounds").hidden = !rounds.length;
    if (!rounds.length) return;
    const lanes = Math.min(1000, gpuCount);
    const { width, x } = roundX();
    const context = canvasOf("round-lanes", width, lanes * ROUND_LINE + 20);
    for (let gpu = 0; gpu < lanes; gpu++) {
      context.fillStyle = css("--soft");
      context.fillRect(ROUND_LABELS, gpu * ROUND_LINE, width - ROUND_LABELS - 8, ROUND_LINE - 3);
      context.fillStyle = css("--muted");
      context.fillText(`${gpu} ${nodes[nodeOfGpu[gpu]].model ?? ""}`, 0, gpu * ROUND_LINE + 7, ROUND_LABELS - 8);
    }
    for (const [gpu, job, , start, length] of rounds) {
      if (gpu >= lanes) continue;
      const from = x(start / 1000);
      context.fillStyle = palette().queues[job % 6];
      context.fillRect(from, gpu * ROUND_LINE, Math.max(0.5, x((start + length) / 1000) - from - 1), ROUND_LINE - 3);
    }
    timeTicks(context, x, lanes * ROUND_LINE + 10, width);
    fillRoundTable();
  }
  function roundAt(event) {
    const { width, x } = roundX();
    const gpu = Math.floor(event.offsetY / ROUND_LINE);
    const when = ((event.offsetX - ROUND_LABELS) / (width - ROUND_LABELS - 8)) * end * 1000;
    return chosen().rounds.find(([g, , , start, length]) => g === gpu && start <= when && when < start + length);
  }
  function seconds(thousandths) {
    return (thousandths / 1000).toLocaleString("en", { maximumFractionDigits: 3 });
  }
  function fillRoundTable() {
    if (!$("round-rows").open) return;
    const { rounds } = chosen();
    $("round-note").textContent = `${rounds.length.toLocaleString("en")} bars; the first ${Math.min(500, rounds.length)} are listed. Times are in seconds.`;
    $("round-table").replaceChildren(
      element("thead", {}, element("tr", {}, ...["GPU", "Job", "Round", "Start", "End"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rounds.slice(0, 500).map(([gpu, job, round, start, length]) => element("tr", {}, element("th", { scope: "row" }, `${gpu} ${nodes[nodeOfGpu[gpu]].model ?? ""}`), ...[jobs.id[job], round, seconds(start), seconds(start + length)].map((value) => element("td", {}, String(value)))))));
  }

  function timeTicks(context, x, y, width) {
    context.fillStyle = css("--muted");
    for (const t of timeSteps()) {
      const text = t === 0 ? "0" : tick(t);
      if (x(t) + 30 < width) context.fillText(text, x(t), y);
    }
  }

  function setBin(bin) {
    state.bin = Math.max(0, Math.min(BINS - 1, bin));
    drawMap();
    for (const id of ["waiting", "held", "frag", "queue-use"]) charts[id]?.draw();
    const series = chosen().series;
    $("moment-values").textContent = `${moment(at())} · jobs waiting ${mean(series.waiting[state.bin])} · GPU allocation ${percent(series.held[state.bin])} · fragmentation ${percent(series.frag[state.bin])}`;
    if ($("state").value === "now") filter();
    else drawBars();
  }

  const busiest = () => chosen().series.waiting.reduce((best, value, bin, all) => (value > all[best] ? bin : best), 0);

  // The list of jobs.
  function filter() {
    const run = chosen();
    const text = $("search").value.trim().toLowerCase();
    const queue = $("queue").value;
    const size = $("size").value;
    const keep = {
      "": () => true,
      waited: (job) => run.wait[job] > 600,
      preempted: (job) => run.preemptions[job] > 0,
      unfinished: (job) => run.ends[job] < 0,
      now: (job) => jobs.submit[job] <= at() && run.segments[job].length > 0 && run.segments[job].at(-1).end > at(),
    }[$("state").value];
    const order = { wait: (job) => -run.wait[job], jct: (job) => -run.jct[job], submit: (job) => jobs.submit[job], gpus: (job) => -jobs.gpus[job] }[$("sort").value];
    listed = [];
    for (let job = 0; job < jobCount; job++) {
      if (text && !jobs.id[job].toLowerCase().startsWith(text) && !jobs.model[job].toLowerCase().includes(text)) continue;
      if (queue !== "" && jobs.queue[job] !== queueNames[+queue]) continue;
      if (size !== "" && jobs.gpus[job] !== +size) continue;
      if (keep(job)) listed.push(job);
    }
    listed.sort((a, b) => order(a) - order(b) || a - b);
    listedSet = new Set(listed);
    state.rows = 25;
    $("count").textContent = listed.length ? `${listed.length.toLocaleString("en")} of ${jobCount.toLocaleString("en")} jobs` : "No job passes these filters.";
    $("gantt-height").style.height = `${Math.max(0, listed.length * ROW - 1)}px`;
    fillJobTable();
    drawBars();
  }

  function drawBars() {
    const pane = $("gantt");
    const width = pane.clientWidth;
    const height = pane.clientHeight;
    const gutter = width < 600 ? 96 : 190;
    const x = (t) => gutter + (t / end) * (width - gutter - 8);
    const head = canvasOf("axis", width, 20);
    timeTicks(head, x, 10, width);
    const context = canvasOf("bars", width, height);
    const colours = palette();
    const first = Math.floor(pane.scrollTop / ROW);
    for (let row = first; row < listed.length && (row - first) * ROW < height + ROW; row++) {
      const job = listed[row];
      const y = row * ROW - pane.scrollTop;
      if (job === state.job) { context.fillStyle = css("--soft"); context.fillRect(0, y, width, ROW); }
      context.fillStyle = css("--ink");
      context.fillText(shortened(context, jobs.id[job], gutter - (width < 600 ? 34 : 84)), 6, y + 9);
      context.fillStyle = css("--muted");
      context.textAlign = "right";
      context.fillText(width < 600 ? String(jobs.gpus[job]) : gpusOf(jobs.gpus[job]), gutter - 14, y + 9);
      context.textAlign = "left";
      if (hasQueues) { context.fillStyle = colourOf(job); context.fillRect(gutter - 9, y + 3, 4, 12); }
      for (const s of chosen().segments[job]) {
        const thick = s.kind === 9;
        context.fillStyle = thick ? colours.running : colours.reasons[s.kind];
        context.fillRect(x(s.start), y + (thick ? 3 : 7), Math.max(1, x(s.end) - x(s.start)), thick ? 12 : 4);
      }
    }
    context.fillStyle = css("--accent");
    context.fillRect(x(at()) - 1, 0, 2, height);
  }

  function shortened(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let length = Math.min(text.length, 60);
    while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
    return `${text.slice(0, length)}…`;
  }

  function select(job, scroll) {
    state.job = job;
    const run = chosen();
    const row = listed.indexOf(job);
    const pane = $("gantt");
    if (row >= 0) {
      if (row * ROW < pane.scrollTop) pane.scrollTop = row * ROW;
      if ((row + 1) * ROW > pane.scrollTop + pane.clientHeight) pane.scrollTop = (row + 1) * ROW - pane.clientHeight;
    }
    const sums = new Array(6).fill(0);
    run.segments[job].forEach((s) => { if (s.kind < 9) sums[s.kind] += s.end - s.start; });
    const why = sums.map((sum, kind) => [sum, kind]).filter(([sum]) => sum > 0).sort((a, b) => b[0] - a[0]).map(([sum, kind]) => `${time(sum)} ${REASONS[kind].toLowerCase().replace("gpus", "GPUs")}`);
    const stops = run.preemptions[job];
    const ended = run.ends[job] >= 0 ? `finished ${moment(run.ends[job])} (JCT ${time(run.jct[job])})` : run.ends[job] === -2 ? "rejected" : "not finished";
    const queue = jobs.queue[job] ? `, queue ${jobs.queue[job]}` : "";
    $("story").replaceChildren(element("strong", {}, "Selected: "), `job ${jobs.id[job]}: ${gpusOf(jobs.gpus[job])}${jobs.model[job] ? `, ${jobs.model[job]}` : ""}${queue}; submitted ${moment(jobs.submit[job])}, ${ended}; waited ${time(run.wait[job])}${why.length ? `: ${why.join(", ")}` : ""}${stops ? `; pre-empted ${stops} times` : ""}.`);
    if (scroll) pane.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
    drawBars();
    drawMap();
  }

  function fillJobTable() {
    if (!$("rows").open) return;
    const run = chosen();
    $("job-table").replaceChildren(
      element("thead", {}, element("tr", {}, ...["Job", "GPUs", "Model", "Queue", "Submitted", "Waited", "JCT", "Pre-emptions"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...listed.slice(0, state.rows).map((job) => element("tr", {}, element("th", { scope: "row" }, jobs.id[job]), ...[jobs.gpus[job], jobs.model[job] || "–", jobs.queue[job] || "–", moment(jobs.submit[job]), time(run.wait[job]), run.jct[job] >= 0 ? time(run.jct[job]) : "–", run.preemptions[job]].map((value) => element("td", {}, String(value)))))));
    $("more-rows").hidden = state.rows >= listed.length;
  }

  // Explanations and changes of size.
  function fillExplained() {
    const run = chosen();
    const items = (texts) => element("ul", {}, ...texts.map((text) => element("li", {}, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => moment(Date.parse(iso) / 1000)))));
    const parts = run.explained.slice(0, state.shown).map((one) => {
      const pills = [gpusOf(jobs.gpus[one.job]), jobs.model[one.job], jobs.queue[one.job], `explained at ${moment(one.at)}`].filter(Boolean);
      return element("div", { className: "explained" },
        element("h3", {}, jobLink(one.job), ` waited ${time(run.wait[one.job])}`, ...pills.map((text) => element("span", { className: "pill" }, text))),
        element("div", { className: "pair" },
          element("div", {}, element("h4", {}, "What was missing"), items(one.unmet), element("code", {}, one.code), element("div", { className: "note" }, one.queue)),
          element("div", {}, element("h4", {}, "What would have made it run"), one.remedies.length ? items(one.remedies) : element("p", { className: "note" }, "No single change was found."))));
    });
    if (run.explained.length > state.shown) {
      parts.push(element("button", { type: "button", onclick: () => { state.shown = 12; fillExplained(); } }, `Show ${run.explained.length - state.shown} more`));
    }
    if (!parts.length) parts.push(element("p", {}, run.rounds.length ? "A plan of rounds does not say why jobs wait." : `No job waited longer than 5 minutes under ${run.policy}.`));
    $("explained").replaceChildren(...parts);
    $("resizes").hidden = !run.resizes.length;
    $("resize-note").textContent = `${run.resizes.length} changes of size of running jobs; the first 100 are listed.`;
    $("resize-table").replaceChildren(
      element("thead", {}, element("tr", {}, ...["Job", "Time", "GPUs before", "GPUs after"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...run.resizes.slice(0, 100).map(([job, when, before, after]) => element("tr", {}, element("th", { scope: "row" }, jobs.id[job]), ...[moment(when), before, after].map((value) => element("td", {}, String(value)))))));
  }

  // The chosen policy.
  function setRun(r) {
    state.run = r;
    const run = chosen();
    document.querySelector("h1").textContent = run.headline;
    document.querySelector(".lead").textContent = run.lead;
    $("price").textContent = run.price;
    document.querySelectorAll(".tile").forEach((tile, i) => {
      const [value, difference, baseline] = run.tiles[i];
      tile.querySelector("strong").textContent = value;
      const compared = tile.querySelector(".difference");
      compared.textContent = difference;
      compared.className = `difference ${difference.startsWith("✓") ? "better" : difference.startsWith("▲") ? "worse" : ""}`;
      tile.querySelector(".baseline").textContent = baseline;
    });
    document.querySelectorAll("#policy-table tbody tr").forEach((row, i) => row.classList.toggle("chosen", i === r));
    state.bin = busiest();
    filter();
    drawAll();
  }

  function drawAll() {
    document.querySelectorAll(".sample").forEach((sample) => { sample.style.background = palette().policies[sample.dataset.policy % 7]; });
    const swatch = (colour, text) => {
      const mark = element("span", { className: "swatch" });
      mark.style.background = colour;
      return element("span", {}, mark, text);
    };
    $("legend").replaceChildren(swatch(palette().running, "running"), ...REASONS.map((text, kind) => swatch(palette().reasons[kind], text)));
    const colours = hasQueues ? queueNames.slice(0, 7).map((name, q) => swatch(palette().queues[q], q === 6 ? "other" : name || "no queue")) : ["Colours tell jobs apart. "];
    $("under").replaceChildren(element("span", { className: "legend" }, ...colours), "An outline is a free GPU. Arrow keys or a click choose a node.");
    drawDistribution();
    drawOverTime();
    fillExplained();
    drawRounds();
    setBin(state.bin);
    $("theme").textContent = isDark() ? "Light" : "Dark";
  }

  // Controls.
  document.querySelectorAll("input[name=policy]").forEach((radio) => radio.addEventListener("change", () => setRun(+radio.value)));
  $("other").append(element("option", { value: "-1" }, "nothing"), ...runs.map((run, r) => element("option", { value: r }, run.policy)));
  $("other").value = state.other;
  $("other").addEventListener("change", () => { state.other = +$("other").value; drawOverTime(); });
  $("queue").append(element("option", { value: "" }, "all"), ...(hasQueues ? queueNames.map((name, q) => element("option", { value: q }, name || "no queue")) : []));
  $("queue").parentElement.hidden = !hasQueues;
  if (!hasQueues) $("queue").parentElement.style.display = "none";
  $("queues").hidden = !hasQueues;
  $("of-gpus").textContent = `of ${gpuCount} GPUs`;
  $("size").append(element("option", { value: "" }, "all"), ...[...new Set(jobs.gpus)].sort((a, b) => a - b).map((n) => element("option", { value: n }, gpusOf(n))));
  for (const id of ["search", "queue", "size", "state", "sort"]) $(id).addEventListener("input", () => { filter(); drawMap(); });
  for (const what of ["jct", "wait"]) {
    $(`by-${what}`).addEventListener("click", () => {
      state.what = what;
      $("by-jct").setAttribute("aria-pressed", what === "jct");
      $("by-wait").setAttribute("aria-pressed", what === "wait");
      drawDistribution();
    });
  }
  $("slider").addEventListener("input", () => setBin(+$("slider").value));
  $("busiest").addEventListener("click", () => setBin(busiest()));
  let playing = 0;
  $("play").addEventListener("click", () => {
    const stop = () => { clearInterval(playing); playing = 0; $("play").textContent = "Play"; };
    if (playing) { stop(); return; }
    $("play").textContent = "Pause";
    playing = setInterval(() => (state.bin + 1 < BINS ? setBin(state.bin + 1) : stop()), calm.matches ? 1000 : 120);
  });
  $("cluster").addEventListener("click", (event) => {
    const hit = boxes.find((box) => event.offsetX >= box.x && event.offsetX < box.x + box.width && event.offsetY >= box.y && event.offsetY < box.y + box.height);
    if (hit) { state.node = hit.node; drawMap(); }
  });
  $("cluster").parentElement.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    state.node = Math.max(0, Math.min(nodes.length - 1, state.node + step));
    drawMap();
  });
  $("gantt").addEventListener("scroll", drawBars);
  $("gantt").addEventListener("click", (event) => {
    const row = Math.floor((event.clientY - $("gantt").getBoundingClientRect().top + $("gantt").scrollTop) / ROW);
    if (row < listed.length) select(listed[row], false);
  });
  $("gantt").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 25, PageUp: -25, Home: -NEVER, End: NEVER }[event.key];
    if (event.key === "Enter" && state.job >= 0) {
      const runs = chosen().segments[state.job].find((s) => s.kind === 9);
      if (runs) setBin(Math.ceil(runs.start / dt - 0.5));
    }
    if (!step || !listed.length) return;
    event.preventDefault();
    select(listed[Math.max(0, Math.min(listed.length - 1, listed.indexOf(state.job) + step))], false);
  });
  $("round-zoom").addEventListener("input", drawRounds);
  $("round-rows").addEventListener("toggle", fillRoundTable);
  $("round-lanes").addEventListener("mousemove", (event) => {
    const bar = roundAt(event);
    $("round-at").textContent = bar ? `GPU ${bar[0]}: job ${jobs.id[bar[1]]}, round ${bar[2]}, ${seconds(bar[3])} to ${seconds(bar[3] + bar[4])} s` : "";
  });
  $("round-lanes").addEventListener("click", (event) => {
    const bar = roundAt(event);
    if (bar) select(bar[1], false);
  });
  $("rows").addEventListener("toggle", fillJobTable);
  $("more-rows").addEventListener("click", () => { state.rows += 25; fillJobTable(); });
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    drawAll();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  let resized = 0;
  addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(drawAll, 100); });

  setRun(state.run);
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
