package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planner.rounds.RoundPlan;
import io.github.liquidscheduler.planner.rounds.RoundProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * A plan of rounds as one HTML file: a line for each GPU, a bar for each task, a color for each
 * job. It needs nothing but a browser. Tasks of one round that follow each other on a GPU without a
 * pause are one bar.
 */
public final class RoundsHtml {

  private static final int WIDTH = 1200;
  private static final int LABELS = 110;
  private static final int LINE = 18;
  private static final int TOP = 24;
  private static final int MARKS = 8;

  /** Neighbouring jobs get colors far from each other: the golden angle. */
  private static final double HUE_STEP = 137.508;

  private final RoundProblem problem;
  private final RoundPlan plan;
  private final double perSecond;
  private final Map<JobId, Integer> jobs = new LinkedHashMap<>();
  private final StringBuilder page = new StringBuilder();

  private RoundsHtml(RoundProblem problem, RoundPlan plan) {
    this.problem = problem;
    this.plan = plan;
    perSecond = (WIDTH - LABELS) / Math.max(plan.makespan(), Double.MIN_NORMAL);
    problem.jobs().forEach(job -> jobs.put(job.id(), jobs.size()));
  }

  /** Returns the file; its title is the command that repeats it. */
  public static String of(String command, RoundProblem problem, RoundPlan plan) {
    return new RoundsHtml(problem, plan).page(command);
  }

  private String page(String command) {
    int height = TOP + LINE * problem.gpus().size();
    add("<!doctype html>%n<html lang=\"en\"><head><meta charset=\"utf-8\">%n");
    add("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    add("style-src 'unsafe-inline'\">%n<title>%s</title>%n", escape(command));
    add("<style>body{font:14px sans-serif;margin:24px}text{font:11px sans-serif}</style>%n");
    add("</head><body><h1>Jobs of rounds on %d GPUs</h1>%n", problem.gpus().size());
    add("<p><code>%s</code></p>%n", escape(command));
    add(
        "<p>Average completion %,.1f s, makespan %,.1f s. ",
        plan.averageJct(problem), plan.makespan());
    add("Each bar is a task while it computes; each job has a color. ");
    add("Point at a bar to see its job.</p>%n");
    add("<svg viewBox=\"0 0 %d %d\" role=\"img\" ", WIDTH, height);
    add("aria-label=\"Tasks of each GPU over time\">%n");
    addMarks(height);
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      addGpu(gpu);
    }
    add("</svg></body></html>%n");
    return page.toString();
  }

  private void addMarks(int height) {
    for (int mark = 0; mark <= MARKS; mark++) {
      double seconds = plan.makespan() * mark / MARKS;
      double x = LABELS + seconds * perSecond;
      add("<path d=\"M%.1f 16V%d\" stroke=\"#ccc\"/>", x, height);
      add(
          "<text x=\"%.1f\" y=\"12\" text-anchor=\"%s\">%,.0f s</text>%n",
          x, mark == MARKS ? "end" : "middle", seconds);
    }
  }

  private void addGpu(int gpu) {
    int y = TOP + LINE * gpu;
    add(
        "<text x=\"0\" y=\"%d\">%d %s</text>%n",
        y + LINE - 6, gpu, escape(problem.gpus().get(gpu).toString()));
    List<RoundPlan.Run> sequence = plan.sequences().get(gpu);
    int first = 0;
    for (int at = 0; at < sequence.size(); at++) {
      boolean isLast =
          at + 1 == sequence.size() || !follows(sequence.get(at), sequence.get(at + 1));
      if (isLast) {
        addBar(sequence.get(first), sequence.get(at).end(), y);
        first = at + 1;
      }
    }
  }

  private static boolean follows(RoundPlan.Run run, RoundPlan.Run next) {
    return run.job().equals(next.job()) && run.round() == next.round() && run.end() == next.start();
  }

  private void addBar(RoundPlan.Run run, double end, int y) {
    double hue = Objects.requireNonNull(jobs.get(run.job())) * HUE_STEP % 360;
    add(
        "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" ",
        LABELS + run.start() * perSecond, y, (end - run.start()) * perSecond, LINE - 3);
    add("fill=\"hsl(%.0f 65%% 60%%)\" stroke=\"#fff\" stroke-width=\".5\">", hue);
    add(
        "<title>%s, round %d, %,.2f to %,.2f s</title></rect>%n",
        escape(run.job().toString()), run.round(), run.start(), end);
  }

  private void add(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
