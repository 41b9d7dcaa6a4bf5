package io.github.liquidscheduler.micrometer;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide lists all meters, and the dashboard asks for none that is not there. */
class MetricsGuideTest {
  private static final Pattern METRIC = Pattern.compile("\\bliquid_\\w+");
  private static final Pattern LABELS = Pattern.compile("(\\w+) ?(?:=~?|!=|!~) ?\"");
  private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");

  @Test
  void theGuideListsEveryMeter() throws IOException {
    String table =
        Arrays.stream(SchedulerMeter.values()).map(MetricsGuideTest::row).collect(joining("\n"));

    assertThat(Files.readString(root().resolve("docs/operating.md")))
        .contains("|---|---|---|---|\n" + table + "\n\n");
  }

  private static String row(SchedulerMeter meter) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            meter.id(),
            meter.kind().name().toLowerCase(Locale.ROOT),
            meter.tags().stream().map(tag -> "`" + tag + "`").collect(joining(", ")),
            meter.description());
  }

  @Test
  void everyMeterIsScraped() throws IOException {
    Set<String> names = found(METRIC, scraped());

    assertThat(SchedulerMeter.values())
        .allSatisfy(
            meter ->
                assertThat(names).anyMatch(name -> name.startsWith(meter.id().replace('.', '_'))));
  }

  @Test
  void theDashboardAsksOnlyForMetricsAndLabelsThatAreThere() throws IOException {
    String scraped = scraped();
    List<String> queries = dashboard().findValuesAsText("expr");
    String asked = String.join("\n", queries);

    assertThat(queries).hasSizeGreaterThan(8);
    assertThat(found(METRIC, scraped)).containsAll(found(METRIC, asked));
    Set<String> labels = found(LABELS, asked);
    BY.matcher(asked).results().forEach(by -> labels.addAll(List.of(by.group(1).split(", *"))));
    assertThat(labels).isNotEmpty();
    assertThat(labels)
        .allSatisfy(label -> assertThat(scraped).containsPattern("[{,]" + label + "=\""));
  }

  @Test
  void everyPanelHasATitleAndAQuery() throws IOException {
    JsonNode panels = dashboard().get("panels");

    assertThat(panels)
        .hasSizeGreaterThan(8)
        .allSatisfy(
            panel -> {
              assertThat(panel.get("title").asText()).isNotBlank();
              assertThat(panel.get("targets")).isNotEmpty();
              assertThat(
                      panel.get("gridPos").get("x").asInt() + panel.get("gridPos").get("w").asInt())
                  .isLessThanOrEqualTo(24);
            });
  }

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(root().resolve("dashboards/liquid.json").toFile());
  }

  /** What Prometheus gets of a scheduler to which all has happened that meters tell of. */
  private static String scraped() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    SchedulerMetrics metrics = SchedulerMetrics.of(registry);
    metrics.queue(() -> 0);
    MeteredScheduler cluster = new MeteredScheduler(metrics);
    cluster.submit("low", 8, 0).after(Duration.ofSeconds(1)).submit("high", 4, 1);
    cluster.finish("none").on(new ClusterEvent.NodeLost(cluster.now(), NodeId.of("node-1")));
    cluster.begin("high").after(Duration.ofMinutes(5)).finish("high");
    PlanCertificate certificate = new PlanCertificate(10, 12, 8, 5, List.of());
    cluster.on(
        new ClusterEvent.PlanProposed(
            cluster.now(), new BatchPlan(0, List.of(), List.of(), List.of(), certificate)));
    metrics.superseded(1);
    metrics.handlerFailed(
        new Decision.Preempt(JobId.of("a"), new Reason.MadeSmaller(JobId.of("b"))),
        new IllegalStateException());
    return registry.scrape();
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    pattern.matcher(text).results().forEach(m -> found.add(m.group(m.groupCount())));
    return found;
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no folder above has a .mvn");
    }
    return folder;
  }
}
