package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report as a reader gets it: in a browser, from a file. */
@Tag("browser")
class HtmlReportTest {

  private static final String HOSTILE = "</script><img src=x onerror=alert(1)><!--<script>";

  @TempDir private static Path folder;
  private static Browser browser;

  @BeforeAll
  static void startBrowser() throws IOException {
    browser = Browser.start();
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void theReportOfTheDemoWorksInABrowser() throws IOException {
    Path report = folder.resolve("demo.html");
    Command demo = Command.run("demo", "--html", report.toString());
    assertThat(demo.output()).contains(report.toString());
    assertThat(Files.size(report)).isLessThan(5_000_000);

    browser.open(report);

    assertReady();
    assertThat(text("h1")).matches("\\S+ finishes jobs \\d+.% sooner than fifo");
    assertDrawn("ecdf", "waiting", "held", "frag", "cluster", "lanes", "bars", "axis");
    assertTheSliderMovesTheMap();
    assertFiltersCount();
    assertPoliciesSwitch();
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth").asBoolean())
        .isTrue();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theReportOfAComparisonWorksToo() throws IOException {
    Path trace = folder.resolve("jobs.csv");
    Files.writeString(
        trace,
        "submit_time,num_gpu,duration\n0,6,3600\n60,8,3600\n120,1,60\n180,2,7200\n240,1,60\n");
    Path report = folder.resolve("comparison.html");
    Command.run(
        "compare",
        "--trace",
        trace.toString(),
        "--cluster",
        "1x8xP100",
        "--policies",
        "fifo,best-effort-fifo,srtf",
        "--seeds",
        "4",
        "--html",
        report.toString());

    browser.open(report);

    assertReady();
    assertDrawn("ecdf", "waiting", "held", "cluster", "bars");
    assertThat(text("#policy-table")).contains("best-effort-fifo", "±");
    assertThePolicyTableIsNotCut();
    assertTheChosenPolicyComesFirst();
    assertTimesHaveNoDecimals();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theReportOfRoundsShowsTheTasksOfEachGpu() throws IOException {
    Path jobs = folder.resolve("rounds.csv");
    Files.writeString(jobs, "job,arrival,weight,rounds,scale\na,0,1,6,2\nb,6,1,6,3\nc,12,1,3,1\n");
    Path times = folder.resolve("times.csv");
    Files.writeString(
        times,
        "job,gpu_model,compute_seconds,sync_seconds\na,A100,600,0\nb,A100,600,0\nc,A100,600,0\n");
    Path report = folder.resolve("rounds.html");
    Command run =
        Command.run(
            "rounds",
            "--jobs",
            jobs.toString(),
            "--times",
            times.toString(),
            "--fleet",
            "3xA100",
            "--algorithm",
            "srpt",
            "--html",
            report.toString());
    assertThat(run.errors()).isEmpty();

    browser.open(report);

    assertReady();
    assertDrawn("waiting", "held", "cluster", "round-lanes", "bars");
    assertThat(
            browser
                .run(
                    """
                    document.getElementById('round-rows').open = true;
                    document.getElementById('round-zoom').value = '8';
                    document.getElementById('round-zoom').dispatchEvent(new Event('input'));
                    return document.getElementById('round-table').textContent;\
                    """)
                .asText())
        .contains("0 A100", "2 A100");
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth").asBoolean())
        .isTrue();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void namesOfATraceAreTextAndNeverMarkup() throws IOException {
    Path trace = folder.resolve("hostile.csv");
    Files.writeString(
        trace,
        "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
            + HOSTILE
            + ",2,0,100,"
            + HOSTILE
            + ",600,0\nlarge,8,10,100,vgg,3600,0\nlast,8,20,100,vgg,3600,0\n");
    Path report = folder.resolve("hostile.html");
    Command simulation =
        Command.run(
            "simulate",
            "--trace",
            trace.toString(),
            "--format",
            "tiresias",
            "--cluster",
            "1x8xP100",
            "--html",
            report.toString());
    assertThat(simulation.errors()).isEmpty();

    browser.open(report);

    assertReady();
    assertThat(browser.run("return document.querySelectorAll('img').length").asInt()).isZero();
    browser.run("document.getElementById('rows').open = true");
    assertThat(
            browser
                .run(
                    "document.getElementById('more-rows').click();"
                        + "return document.getElementById('job-table').textContent")
                .asText())
        .contains(HOSTILE, "large");
    assertThat(browser.complaints()).isEmpty();
  }

  private static void assertReady() {
    assertThat(browser.run("return document.documentElement.dataset.ready").asText())
        .as("%s", browser.complaints())
        .matches("\\d+");
  }

  /** Every canvas must have pixels of more than two colours. */
  private static void assertDrawn(String... canvases) {
    for (String canvas : canvases) {
      int colours =
          browser
              .run(
                  """
                  const c = document.getElementById('%s');
                  const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                  const seen = new Set();
                  for (let i = 0; i < data.length; i += 4) {
                    if (data[i + 3] > 0) {
                      seen.add(`${data[i]} ${data[i + 1]} ${data[i + 2]}`);
                    }
                  }
                  return seen.size;\
                  """
                      .formatted(canvas))
              .asInt();
      assertThat(colours).as(canvas).isGreaterThan(2);
    }
  }

  private static void assertTheSliderMovesTheMap() {
    String move =
        """
        const slider = document.getElementById('slider');
        slider.value = %d;
        slider.dispatchEvent(new Event('input'));
        return document.getElementById('moment').textContent
            + document.getElementById('facts').textContent
            + document.getElementById('cluster').toDataURL();\
        """;
    String early = browser.run(move.formatted(20)).asText();
    String later = browser.run(move.formatted(200)).asText();
    assertThat(later).isNotEqualTo(early);
    assertThat(browser.run(move.formatted(20)).asText()).isEqualTo(early);
  }

  private static void assertFiltersCount() {
    String choose =
        """
        const field = document.getElementById('%s');
        field.value = '%s';
        field.dispatchEvent(new Event('input'));
        return document.getElementById('count').textContent;\
        """;
    assertThat(browser.run(choose.formatted("search", "no such job")).asText())
        .isEqualTo("No job passes these filters.");
    assertThat(browser.run(choose.formatted("search", "")).asText()).isEqualTo("240 of 240 jobs");
    assertThat(browser.run(choose.formatted("size", "8")).asText())
        .matches("\\d{1,3} of 240 jobs")
        .isNotEqualTo("240 of 240 jobs");
    assertThat(browser.run(choose.formatted("size", "")).asText()).isEqualTo("240 of 240 jobs");
  }

  @Test
  void aGpuThatTwoJobsShareCountsOnce() throws IOException {
    Path trace = folder.resolve("pair.csv");
    Files.writeString(
        trace,
        "submit_time,num_gpu,duration,model_name,batch_size\n0,1,900,net,8\n0,1,900,net,8\n");
    Path pairs = folder.resolve("pairs.csv");
    Files.writeString(
        pairs, "gpu,family,batch,co_family,co_batch,retained_speed\nV100,net,8,net,8,0.9\n");
    Path report = folder.resolve("shared.html");
    Command.run(
        "simulate",
        "--trace",
        trace.toString(),
        "--cluster",
        "1x1xV100",
        "--slowdowns",
        pairs.toString(),
        "--colocate",
        "measured",
        "--html",
        report.toString());

    browser.open(report);

    assertReady();
    assertThat(text("#moment-values")).contains("GPU allocation 100\u2009%");
    assertThat(text("#facts")).contains("1/1", "2jobs running");
    assertThat(browser.complaints()).isEmpty();
  }

  private static void assertThePolicyTableIsNotCut() {
    assertThat(
            browser
                .run(
                    "const table = document.getElementById('policy-table');"
                        + "return innerWidth >= 1300"
                        + " && table.scrollWidth <= table.parentElement.clientWidth - 32")
                .asBoolean())
        .isTrue();
  }

  private static void assertTheChosenPolicyComesFirst() {
    assertThat(
            browser
                .run(
                    "return document.querySelector('#percentiles thead th:nth-child(2)').className")
                .asText())
        .isEqualTo("chosen");
  }

  private static void assertTimesHaveNoDecimals() {
    assertThat(
            browser
                .run("return Chart.getChart('waiting').scales.x.ticks.map(t => t.label).join(', ')")
                .asText())
        .contains("h")
        .doesNotContain(".");
  }

  private static void assertPoliciesSwitch() {
    browser.run("document.querySelector('input[name=policy]').click()");
    assertThat(text("h1")).startsWith("Under fifo, jobs take");
  }

  private static String text(String selector) {
    return browser.run("return document.querySelector('" + selector + "').textContent").asText();
  }
}
