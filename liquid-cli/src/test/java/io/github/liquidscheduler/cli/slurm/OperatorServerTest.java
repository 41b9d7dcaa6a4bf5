package io.github.liquidscheduler.cli.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cli.output.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperatorServerTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private Optional<String> ill = Optional.empty();
  private final OperatorServer.Answers answers =
      new OperatorServer.Answers(
          () -> ill,
          () -> "liquid_jobs 1\n",
          job -> {
            if (job.equals("broken")) {
              throw new IllegalStateException("no answer\nat all");
            }
            return Optional.of(job).filter("7"::equals).map(id -> "job " + id + " waits");
          });
  private final OperatorServer server = OperatorServer.on(0);

  @BeforeEach
  void start() {
    server.answer(answers);
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  @Test
  void itTellsHowTheDaemonIs() throws Exception {
    assertThat(get("/health")).isEqualTo("200 ok\n");
    ill = Optional.of("slurmctld has not answered\nfor 20 s");
    assertThat(get("/health")).isEqualTo("503 slurmctld has not answered for 20 s\n");
  }

  @Test
  void oneThatStandsByTellsForWhomItWaits() throws Exception {
    server.answer(OperatorServer.Answers.standingBy("process 7\ndecides"));
    assertThat(get("/health")).isEqualTo("200 standing by: process 7 decides\n");
    assertThat(get("/why/7")).startsWith("200 standing by: process 7");
    server.answer(answers);
    assertThat(get("/health")).isEqualTo("200 ok\n");
  }

  @Test
  void itTellsWhyAJobWaits() throws Exception {
    assertThat(get("/why/7")).isEqualTo("200 job 7 waits\n");
    assertThat(get("/why/8%20%3Cb%3E")).isEqualTo("404 no job is known as '8 <b>'\n");
    assertThat(get("/why/broken")).startsWith("500 ").contains("no answer at all");
  }

  @Test
  void itServesMeters() throws Exception {
    assertThat(get("/metrics")).isEqualTo("200 liquid_jobs 1\n");
  }

  @Test
  void itTellsWhatThereIs() throws Exception {
    assertThat(get("/")).contains("/health", "/metrics", "/why/JOB");
    assertThat(get("/nothing")).startsWith("404 there is no '/nothing' here").contains("/why/JOB");
  }

  @Test
  void nothingCanBeChanged() throws Exception {
    HttpRequest post =
        HttpRequest.newBuilder(uri("/health")).POST(HttpRequest.BodyPublishers.noBody()).build();
    assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    assertThatThrownBy(() -> OperatorServer.on(server.port()))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith("port %d of loopback cannot be had".formatted(server.port()))
        .hasMessageContaining("--port");
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
