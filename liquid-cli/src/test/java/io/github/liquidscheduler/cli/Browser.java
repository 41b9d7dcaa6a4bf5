package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Chromium without a window, driven by the WebDriver protocol of its own driver. */
final class Browser implements AutoCloseable {

  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String address;
  private final String session;

  private Browser(Process driver, int port) throws IOException {
    this.driver = driver;
    address = "http://localhost:" + port + "/session";
    ObjectNode request = JSON.createObjectNode();
    ObjectNode wanted = request.putObject("capabilities").putObject("alwaysMatch");
    wanted.putObject("goog:loggingPrefs").put("browser", "ALL");
    wanted
        .putObject("goog:chromeOptions")
        .putArray("args")
        .add("--headless=new")
        .add("--no-sandbox")
        .add("--disable-gpu")
        .add("--disable-dev-shm-usage")
        .add("--window-size=1400,1000");
    session = address + "/" + post(address, request).get("sessionId").asText();
  }

  /** Starts one. Without Debian's chromium-driver, a test is skipped, but fails in CI. */
  static Browser start() throws IOException {
    boolean installed = Files.isExecutable(DRIVER);
    if (System.getenv("CI") != null) {
      assertThat(installed).as("Debian's chromium-driver must be installed for CI").isTrue();
    }
    assumeTrue(installed, "needs Chromium (Debian: chromium, chromium-driver)");
    Process driver =
        new ProcessBuilder(DRIVER.toString(), "--port=0").redirectErrorStream(true).start();
    try {
      return new Browser(driver, port(driver));
    } catch (IOException | RuntimeException e) {
      driver.destroy();
      throw e;
    }
  }

  private static int port(Process driver) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    Pattern started = Pattern.compile("started successfully on port (\\d+)");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = started.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new IOException("chromedriver ended before it was ready");
  }

  void open(Path file) {
    post(session + "/url", JSON.createObjectNode().put("url", file.toUri().toString()));
  }

  /** Runs a function's body in the page and returns its result. */
  JsonNode run(String script) {
    ObjectNode request = JSON.createObjectNode().put("script", script);
    request.putArray("args");
    return post(session + "/execute/sync", request);
  }

  /** Returns what the browser complained of since this was asked last. */
  JsonNode complaints() {
    return post(session + "/se/log", JSON.createObjectNode().put("type", "browser"));
  }

  private JsonNode post(String uri, ObjectNode body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    return send(request);
  }

  private JsonNode send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return JSON.readTree(response.body()).get("value");
    } catch (IOException e) {
      throw new AssertionError("chromedriver does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      send(HttpRequest.newBuilder(URI.create(session)).DELETE().build());
    } finally {
      driver.destroy();
    }
  }
}
